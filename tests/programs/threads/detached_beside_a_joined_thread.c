// expect: true
// Another thread is detached than the one that is joined.
#include <pthread.h>
extern void reach_error(void);
int done;
void *work(void *unused) {
  done = 1;
  return 0;
}
void *idle(void *unused) { return 0; }
int main(void) {
  pthread_t worker, other;
  pthread_create(&worker, 0, work, 0);
  pthread_create(&other, 0, idle, 0);
  pthread_detach(other);
  pthread_join(worker, 0);
  if (!done) reach_error();
  return 0;
}
