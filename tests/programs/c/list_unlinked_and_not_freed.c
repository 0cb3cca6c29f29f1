// expect: false(valid-memtrack)
// property: valid-memsafety
// As list_remove_by_link.c, but the block that is unlinked is not freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  n->next = head;
  return n;
}

static struct node *remove_value(struct node *head, int value) {
  struct node **link = &head;
  while (*link) {
    struct node *cur = *link;
    if (cur->value == value) {
      *link = cur->next;
      break;
    }
    link = &cur->next;
  }
  return head;
}

static void destroy(struct node *head) {
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
}


int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    head = push(head, __VERIFIER_nondet_int());
  }
  head = remove_value(head, 42);
  destroy(head);
  return 0;
}
