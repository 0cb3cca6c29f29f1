// expect: unknown
// may: false
// property: LTL(G !call(run))
// A thread enters the function without a call.
#include <pthread.h>
static void *run(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
