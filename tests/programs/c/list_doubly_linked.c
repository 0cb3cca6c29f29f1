// expect: true
// property: valid-memsafety
// engine: indexed-predicates, auto
//
// A doubly linked list of unknown length, built at its head; links back lead to nodes or nowhere.
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
    if (p->prev) p->prev->value = 3;
  }
  while (list) {
    struct node *n = list->next;
    free(list);
    list = n;
  }
  return 0;
}
