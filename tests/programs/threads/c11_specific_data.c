// expect: true
// Each thread finds what it has kept, and nothing at first.
#include <assert.h>
#include <threads.h>
tss_t key;
int a, b;
int other(void *p) {
  assert(tss_get(key) == 0);
  tss_set(key, p);
  assert(tss_get(key) == p);
  return 0;
}
int main(void) {
  thrd_t s, t;
  if (tss_create(&key, 0) != thrd_success) return 0;
  tss_set(key, &key);
  thrd_create(&s, other, &a);
  thrd_create(&t, other, &b);
  thrd_join(s, 0);
  thrd_join(t, 0);
  assert(tss_get(key) == &key);
  tss_delete(key);
  return 0;
}
