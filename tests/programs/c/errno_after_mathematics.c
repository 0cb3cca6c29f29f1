// expect: false(unreach-call)
// may: unknown
// The logarithm of a negative number sets errno.
#include <errno.h>
#include <math.h>
extern void reach_error(void);
int main(void) {
  errno = 0;
  double d = log(-1.0);
  if (errno != 0) reach_error();
  return 0;
}
