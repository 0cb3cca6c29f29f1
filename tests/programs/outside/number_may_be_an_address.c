// expect: unknown
// data-model: LP64
// One of the two is an address, whose number is open.
#include <assert.h>
int x;
static void *get(int i) { return i ? (void *)&x : (void *)3; }
int main(void) {
  assert((long)get(1) != 3 && (long)get(1) % 3 == 0);
  return 0;
}
