// expect: unknown
// property: termination
#include <pthread.h>
int done = 0;
void *work(void *p) { done = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  while (!done) {}
  return 0;
}
