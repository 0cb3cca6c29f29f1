// Rows and members are left nowhere: the end of one is an address only, and the last member of what a pointer points to may be longer.
// expect: true
// property: undefined
// data-model: LP64
#include <stdlib.h>
struct r { char n[4]; int v[3]; };
struct tail { int n; int d[1]; };
int main(void) {
  int a[2][3], sum = 0;
  for (int i = 0; i < 2; i++)
    for (int *p = &a[i][0]; p != &a[i][3]; p++)
      *p = i;
  struct r r[2] = { { "abc", { 1, 2, 3 } }, { "", { 0 } } };
  for (int j = 0; j < 3; j++)
    sum += r[0].v[j] + a[1][j];
  struct tail *t = malloc(sizeof *t + sizeof(int));
  t->d[1] = sum;
  sum = t->d[1];
  free(t);
  return sum == 9 ? 0 : 1;
}
