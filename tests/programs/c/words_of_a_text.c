// expect: true
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char s[] = ",a,bc";
  char *p = strtok(s, ",");
  assert(p == s + 1 && strcmp(p, "a") == 0);
  p = strtok(0, ",");
  assert(strcmp(p, "bc") == 0);
  assert(!strtok(0, ","));
  assert(strspn("aab", "a") == 2 && strcspn("xyz", "zy") == 1);
  const char *t = "hello";
  assert(strstr(t, "lo") == t + 3 && !strstr(t, "x") && memchr(t, 'l', 5) == t + 2 && strpbrk(t, "ol") == t + 2);
  char *copy = strdup("hi");
  if (copy) assert(copy[1] == 'i' && !copy[2]);
  free(copy);
  return 0;
}
