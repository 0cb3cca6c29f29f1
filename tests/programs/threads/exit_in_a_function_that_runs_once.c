// expect: unknown
// may: false
// The thread ends in the function, and x stays 0.
#include <pthread.h>
extern void reach_error(void);
int x;
pthread_once_t once = PTHREAD_ONCE_INIT;
void prepare(void) { pthread_exit(0); }
void *work(void *unused) {
  pthread_once(&once, prepare);
  x = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  pthread_join(id, 0);
  if (!x) reach_error();
  return 0;
}
