// expect: unknown
// may: true
// A function of libgcc: what it computes is known, though not here.
#include <assert.h>
int __popcountdi2(long);
char *__strcpy_chk(char *, const char *, unsigned long);
int main(void) {
  assert(__popcountdi2(7) == 3);
  return 0;
}
