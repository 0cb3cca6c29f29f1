// expect: false(valid-deref)
// property: valid-memsafety
//
// As list_doubly_linked.c, but the first node's link back is followed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; int value; };
int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->prev = 0;
    n->next = list;
    if (list) list->prev = n;
    list = n;
  }
  for (struct node *p = list; p; p = p->next) {
    p->value = 2;
    p->prev->value = 3;
  }
  while (list) {
    struct node *n = list->next;
    free(list);
    list = n;
  }
  return 0;
}
