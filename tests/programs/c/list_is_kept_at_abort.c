// expect: true
// property: valid-memsafety
// engine: indexed-predicates
// The program may end early, while a variable still leads to the list: nothing is lost then.
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
  if (__VERIFIER_nondet_int())
    abort();
  destroy(list);
  return 0;
}
