// expect: unknown
// may: false
// A later call overwrites what an earlier one returned (C11 7.27.3).
#include <assert.h>
#include <time.h>
int main(void) {
  time_t t = 0, u = 100;
  struct tm *p = gmtime(&t);
  if (!p) return 0;
  int s = p->tm_sec;
  localtime(&u);
  assert(p->tm_sec == s);
  return 0;
}
