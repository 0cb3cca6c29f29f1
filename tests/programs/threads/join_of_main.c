// expect: unknown
// may: false
// main ends by pthread_exit, and a thread waits for that.
#include <pthread.h>
extern void reach_error(void);
pthread_t first;
void *work(void *unused) {
  pthread_join(first, 0);
  reach_error();
  return 0;
}
int main(void) {
  pthread_t id;
  first = pthread_self();
  pthread_create(&id, 0, work, 0);
  pthread_exit(0);
}
