// expect: false(valid-memtrack)
// property: valid-memsafety
// Blocks in a ring hold each other, and all of them are lost: ranks cannot fall all around it.
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
      free(cur);
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
  struct node **p = &head; while (*p) p = &(*p)->next; *p = head; head = 0;
  destroy(head);
  return 0;
}
