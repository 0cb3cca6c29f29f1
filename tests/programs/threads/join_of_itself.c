// expect: unknown
// may: false
// POSIX lets a thread that joins itself be told so.
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
pthread_t id;
void *work(void *unused) {
  if (pthread_join(pthread_self(), 0) == EDEADLK) reach_error();
  return 0;
}
int main(void) {
  pthread_create(&id, 0, work, 0);
  pthread_exit(0);
}
