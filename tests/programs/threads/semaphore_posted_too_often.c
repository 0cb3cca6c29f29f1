// expect: unknown
// may: false
// The value cannot grow (POSIX: EOVERFLOW).
#include <semaphore.h>
extern void reach_error(void);
sem_t semaphore;
int main(void) {
  sem_init(&semaphore, 0, 2147483647);
  if (sem_post(&semaphore) != 0) reach_error();
  return 0;
}
