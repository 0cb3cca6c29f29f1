// expect: true
// property: valid-memsafety
// engine: indexed-predicates
// timeout: 60s
// As list_remove_by_link.c, with an assertion: the name of the function in its message is an object, but no block.
#include <stdlib.h>
#include <assert.h>
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

static int length(const struct node *head) {
  int n = 0;
  for (; head; head = head->next)
    n++;
  return n;
}

int main(void) {
  struct node *head = NULL;
  int pushed = 0;
  while (pushed < 1000 && __VERIFIER_nondet_int()) {
    head = push(head, __VERIFIER_nondet_int());
    pushed++;
  }
  assert(length(head) == pushed);
  head = remove_value(head, 42);
  destroy(head);
  return 0;
}
