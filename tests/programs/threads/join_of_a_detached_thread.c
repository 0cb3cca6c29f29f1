// expect: unknown
// may: false
// Nobody can wait for a thread that is detached: the join returns at once, or is undefined.
#include <pthread.h>
extern void reach_error(void);
int done;
void *work(void *unused) {
  done = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  pthread_detach(id);
  pthread_join(id, 0);
  if (!done) reach_error();
  return 0;
}
