// expect: true
// property: no-data-race
// Threads and a mutex of C11.
#include <threads.h>
int shared;
mtx_t m;
int worker(void *arg) {
  mtx_lock(&m);
  shared++;
  mtx_unlock(&m);
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
