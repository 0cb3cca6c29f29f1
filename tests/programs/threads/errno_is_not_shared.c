// expect: true
// Each thread has its own errno.
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
void *other(void *unused) {
  errno = 3;
  return unused;
}
int main(void) {
  pthread_t t;
  errno = 1;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  if (errno != 1)
    reach_error();
  return 0;
}
