// expect: true
// A function that returns what malloc gave it: two records of different types.
#include <assert.h>
#include <stdlib.h>
struct point { int x, y; };
struct name { char text[8]; long id; };
static void *new(size_t n) {
  void *p = malloc(n);
  if (!p) exit(1);
  return p;
}
int main(void) {
  struct point *p = new(sizeof *p);
  struct name *q = new(sizeof *q);
  p->x = 1;
  q->id = 2;
  q->text[0] = 'a';
  assert(p->x == 1 && q->id == 2);
  free(p);
  free(q);
  return 0;
}
