// expect: true
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char b[24];
  int n = sprintf(b, "%d-%s%%%c", -42, "xy", 'z');
  assert(n == 8 && strcmp(b, "-42-xy%z") == 0);
  n = snprintf(b, 4, "%x%u", 0xbeefu, 7u);
  assert(n == 5 && strcmp(b, "bee") == 0);
  return 0;
}
