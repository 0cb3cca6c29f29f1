// expect: true
// property: valid-memsafety
#include <stdlib.h>
struct pair {
  int *where;
  short n;
};
int main(void) {
  struct pair a = {malloc(sizeof(int)), 2}, b = {0, 0};
  *a.where = 3;
  unsigned char *to = (unsigned char *)&b, *from = (unsigned char *)&a;
  for (size_t i = 0; i < sizeof a; i++)
    *to++ = *from++;
  *b.where += b.n;
  free(b.where);
  return 0;
}
