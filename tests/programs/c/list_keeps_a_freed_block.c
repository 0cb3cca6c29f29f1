// expect: false
// property: valid-memsafety
// The block that is taken out is freed, but the one before it still leads to it.
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
    if (!before)
      list = at->next;
    free(at);
  }
  destroy(list);
  return 0;
}
