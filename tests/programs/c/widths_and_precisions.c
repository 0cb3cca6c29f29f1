// expect: true
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
  char b[40];
  if (snprintf(b, sizeof b, "%03d|%-4s|%+d|%#x|%.2s|%*d", 7, "ab", 5, 255u, "xyz", 3, 9) != 23 ||
      strcmp(b, "007|ab  |+5|0xff|xy|  9") != 0)
    reach_error();
  if (snprintf(b, 4, "%05d", 42) != 5 || strcmp(b, "000") != 0)
    reach_error();
  return 0;
}
