// Two functions that are called in one expression meet by members of different records: C leaves their order open.
// expect: unknown
#include <assert.h>
struct pair { int *to; int *from; };
static int put(struct pair *p) { *p->to = 9; return 0; }
static int get(struct pair *p) { return *p->from; }
int main(void) {
  int k = 1;
  struct pair a = { &k, 0 }, b = { 0, &k };
  int r = get(&b) + put(&a);
  assert(r == 1);
  return 0;
}
