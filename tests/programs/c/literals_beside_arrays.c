// expect: true
// property: valid-memsafety
#include <string.h>
static const int table[3] = {1, 2, 3};
int main(void) {
  char own[8];
  const char *s = "abc";
  const int *t = table;
  int sum = 0;
  for (int i = 0; i < 3; i++) { own[i] = s[i]; sum += t[i]; }
  own[3] = 0;
  char *p = sum == 6 ? own : (char *)s;
  p[2] = 'z';
  memcpy(own, s, 4);
  return own[3];
}
