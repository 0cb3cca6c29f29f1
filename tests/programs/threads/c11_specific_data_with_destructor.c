// expect: unknown
// Destructors of thread-specific data are not modelled.
#include <assert.h>
#include <threads.h>
tss_t key;
int gone;
void end(void *p) { gone = 1; }
int other(void *p) {
  tss_set(key, &key);
  return 0;
}
int main(void) {
  thrd_t t;
  tss_create(&key, end);
  thrd_create(&t, other, 0);
  thrd_join(t, 0);
  assert(gone == 0);
  return 0;
}
