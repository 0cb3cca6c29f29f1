// expect: unknown
// property: termination
// What the loop reads is undefined, so whether it ends is.
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
  struct node *p = malloc(sizeof(struct node));
  if (!p) return 0;
  p->v = 1;
  p->next = 0;
  struct node *q = p->next;
  while (q->v != 5) { q = q->next; }
  return 0;
}
