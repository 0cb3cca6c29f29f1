// expect: unknown
// may: false
// Which function is called first is not specified.
#include <string.h>
extern void reach_error(void);
static int set(int *p) { memset(p, 0xff, 4); return 1; }
static int get(int *p) { return *p; }
int main(void) {
  int x = 0;
  if (set(&x) + get(&x) == 1) reach_error();
  return 0;
}
