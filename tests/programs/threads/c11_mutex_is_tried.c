// expect: false(no-data-race)
// property: no-data-race
// A mutex of C11 that may be taken already.
#include <threads.h>
int shared;
mtx_t m;
int worker(void *arg) {
  int got = mtx_trylock(&m);
  shared++;
  if (got == thrd_success) mtx_unlock(&m);
  return 3;
}
int main(void) {
  thrd_t a, b;
  int result;
  mtx_init(&m, mtx_plain);
  thrd_create(&a, worker, 0);
  thrd_create(&b, worker, 0);
  thrd_join(a, &result);
  thrd_join(b, 0);
  shared = result;
  mtx_destroy(&m);
  return 0;
}
