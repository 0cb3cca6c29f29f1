// expect: false
// property: termination
// The list is a ring.
#include <stdlib.h>
struct node { int id; struct node *next; };
int main(void) {
  struct node a = {1, 0}, b = {2, &a};
  a.next = &b;
  struct node *found = &a;
  while (found && found->id != 3) found = found->next;
  return 0;
}
