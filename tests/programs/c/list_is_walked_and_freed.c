// expect: true
// property: valid-memsafety
// engine: indexed-predicates, auto
//
// A list of unknown length, built at its end, walked, and freed node by node.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
int main(void) {
  struct node *list = malloc(sizeof *list);
  list->next = 0;
  list->value = 0;
  struct node *end = list;
  while (__VERIFIER_nondet_int()) {
    end->next = malloc(sizeof *end);
    end = end->next;
    end->next = 0;
    end->value = 1;
  }
  end = list;
  while (end) {
    end->value = 2;
    end = end->next;
  }
  while (list) {
    end = list->next;
    free(list);
    list = end;
  }
  return 0;
}
