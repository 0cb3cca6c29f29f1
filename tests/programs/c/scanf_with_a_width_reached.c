// expect: false
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int n = 0;
  if (scanf("%2d", &n) == 1 && n == -9)
    reach_error();
  return 0;
}
