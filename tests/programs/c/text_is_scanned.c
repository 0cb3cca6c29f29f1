// expect: true
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
  int a = 0, b = 0, used = 0;
  char word[8], c = 0;
  if (sscanf(" 12, x7f rest", "%d, x%x %s", &a, &b, word) != 3 || a != 12 || b != 127 || strcmp(word, "rest") != 0)
    reach_error();
  if (sscanf("5-", "%d%c%n%d", &a, &c, &used, &b) != 2 || c != '-' || used != 2 || b != 127)
    reach_error();
  if (sscanf("", "%d", &a) != -1 || sscanf("x", "%d", &a) != 0 || a != 5)
    reach_error();
  return 0;
}
