// expect: true
// property: valid-memsafety
// engine: indexed-predicates
// A block is taken out of a list of any length and freed; no pointer to it is left, and nothing is lost.
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
  while (__VERIFIER_nondet_int())
    list = push(list, __VERIFIER_nondet_int());
  struct node *before = NULL, *at = list;
  while (at && at->value != 42) {
    before = at;
    at = at->next;
  }
  if (at) {
    if (before)
      before->next = at->next;
    else
      list = at->next;
    free(at);
  }
  destroy(list);
  return 0;
}
