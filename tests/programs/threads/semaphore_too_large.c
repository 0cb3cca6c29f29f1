// expect: false(unreach-call)
// A semaphore has a largest value (POSIX: EINVAL).
#include <semaphore.h>
extern void reach_error(void);
sem_t semaphore;
int main(void) {
  if (sem_init(&semaphore, 0, 0x80000000u) != 0) reach_error();
  return 0;
}
