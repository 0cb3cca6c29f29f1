// expect: true
// property: no-uninitialised-read
#include <stdatomic.h>
int main(void) {
  atomic_int a;
  atomic_store(&a, 3);
  return atomic_load(&a);
}
