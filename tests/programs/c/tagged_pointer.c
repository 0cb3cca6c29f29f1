// expect: true
// data-model: LP64
// The low bits of an address are zero, so they can hold a mark.
#include <assert.h>
#include <stdint.h>
struct node { int value; uintptr_t next; };
static struct node *pointer(uintptr_t t) { return (struct node *)(t & ~(uintptr_t)3); }
int main(void) {
  struct node a = {1, 0}, b = {2, 0};
  a.next = (uintptr_t)&b | 1;
  assert((a.next & 1) == 1 && pointer(a.next) == &b && pointer(a.next)->value == 2);
  a.next &= ~(uintptr_t)1;
  assert((a.next & 1) == 0 && a.next == (uintptr_t)&b && pointer(a.next) == &b);
  return 0;
}
