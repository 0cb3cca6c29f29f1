// expect: false
// A pointer to a record is one to its first member (C11 6.7.2.1p15).
#include <assert.h>
struct base { int tag; };
struct derived { struct base base; int x; };
int main(void) {
  struct base b = { 0 };
  struct derived d = { { 1 }, 2 };
  void *table[2] = { &b, &d };
  struct base *p = table[1];
  p->tag = 9;
  assert(d.base.tag == 1);
  return 0;
}
