// expect: true
// property: valid-memsafety
// engine: indexed-predicates
// Blocks are put at the end of a list, which is walked for each.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  return n;
}
static void destroy(struct node *head) {
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
}
int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = push(NULL, __VERIFIER_nondet_int());
    if (!list) {
      list = n;
    } else {
      struct node *last = list;
      while (last->next)
        last = last->next;
      last->next = n;
    }
  }
  destroy(list);
  return 0;
}
