// property: valid-memsafety
#include <stdlib.h>
struct node { struct node *next; };

int main(void) {
  struct node *a = malloc(sizeof *a);
  if (!a) return 0;
  a->next = malloc(sizeof *a);
  free(a);
  return 0;
}
