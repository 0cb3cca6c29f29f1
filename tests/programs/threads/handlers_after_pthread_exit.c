// expect: unknown
// may: false
// The process ends with its last thread, and then runs the handlers: that is not modelled.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
int x;
void last(void) {
  if (x == 1) reach_error();
}
void *work(void *unused) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  atexit(last);
  pthread_create(&id, 0, work, 0);
  pthread_exit(0);
}
