// expect: false
//
// As list_values_stay_in_range.c, but 10 gets in.
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    int v = __VERIFIER_nondet_int();
    if (v < 1 || v > 10) continue;
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = list;
    list = n;
  }
  for (struct node *p = list; p; p = p->next)
    assert(p->value >= 1 && p->value <= 9);
  return 0;
}
