// expect: unknown
// Equal results for equal arguments are declared, and not modelled; so what differs is no violation.
#include <assert.h>
__attribute__((pure)) int length(const char *);
__attribute__((const)) int square(int);
int main(void) {
  char s[2] = "a";
  assert(length(s) == length(s) && square(3) == square(3));
  return 0;
}
