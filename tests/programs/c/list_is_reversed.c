// expect: true
// property: valid-memsafety
// engine: indexed-predicates
// A list of any length is turned round and freed: every block is held by one cell.
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
  struct node *list = NULL, *turned = NULL;
  while (__VERIFIER_nondet_int())
    list = push(list, __VERIFIER_nondet_int());
  while (list) {
    struct node *next = list->next;
    list->next = turned;
    turned = list;
    list = next;
  }
  destroy(turned);
  return 0;
}
