// expect: unknown
// It may be kept there and come back.
#include <assert.h>
#include <stdlib.h>
extern void give(const int *); extern int *get(void);
int main(void) {
  int *h = malloc(4);
  if (!h) return 0;
  give(h);
  *h = 1;
  int *p = get();
  *p = 2;
  assert(*h == 1);
  return 0;
}
