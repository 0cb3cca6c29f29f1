// expect: true
// property: termination
// engine: execution, auto
// The list is built with fixed data; no ranking function is needed.
#include <stdlib.h>
struct node { int id; struct node *next; };
static struct node *push(struct node *head, int id) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->id = id;
  n->next = head;
  return n;
}
static unsigned collatz(unsigned n) {
  unsigned steps = 0;
  while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; }
  return steps;
}
int main(void) {
  struct node *head = push(push(0, 1), 2);
  struct node *found = head;
  while (found && found->id != 1) found = found->next;
  while (head) { struct node *next = head->next; free(head); head = next; }
  return collatz(27) > 100;
}
