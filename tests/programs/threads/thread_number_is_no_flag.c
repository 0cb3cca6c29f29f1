// expect: unknown
// Whether the number of a thread is 0 is not known.
#include <pthread.h>
extern void reach_error(void);
int main(void) {
  if (!pthread_self()) reach_error();
  return 0;
}
