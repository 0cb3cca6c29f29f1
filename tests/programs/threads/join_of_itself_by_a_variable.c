// expect: unknown
// may: false
// The variable has the number of the thread that joins.
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
pthread_t id;
void *work(void *unused) {
  if (pthread_join(id, 0) == EDEADLK) reach_error();
  return 0;
}
int main(void) {
  pthread_create(&id, 0, work, 0);
  pthread_exit(0);
}
