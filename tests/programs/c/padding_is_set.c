// expect: true
// Bytes between the members are set and copied as well.
#include <string.h>
#include <assert.h>
struct Gap { char c; int i; };
int main(void) {
  struct Gap a;
  memset(&a, 0, sizeof a);
  assert(((unsigned char *)&a)[1] == 0);
  struct Gap b;
  memset(&b, 0xff, sizeof b);
  assert(((unsigned char *)&b)[2] == 0xff);
  struct Gap *p = &a, *q = &b;
  memcpy(p, q, sizeof a);
  assert(((unsigned char *)&a)[3] == 0xff);
  return 0;
}
