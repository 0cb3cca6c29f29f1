// expect: true
// The block is nobody else's.
#include <assert.h>
#include <stdlib.h>
extern int *get(void);
int main(void) {
  int *h = malloc(4);
  if (!h) return 0;
  *h = 1;
  int *p = get();
  *p = 2;
  assert(*h == 1);
  return 0;
}
