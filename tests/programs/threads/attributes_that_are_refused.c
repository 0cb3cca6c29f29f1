// expect: unknown
// may: false
// There is no such state (POSIX: EINVAL).
#include <pthread.h>
extern void reach_error(void);
pthread_attr_t attributes;
int main(void) {
  pthread_attr_init(&attributes);
  if (pthread_attr_setdetachstate(&attributes, 77) != 0) reach_error();
  return 0;
}
