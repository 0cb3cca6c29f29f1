// expect: unknown
// may: false
// property: valid-memsafety
// data-model: LP64
// The year may not fit into an int: then there is no calendar.
#include <limits.h>
#include <time.h>
int main(void) {
  time_t t = LONG_MAX;
  return gmtime(&t)->tm_sec;
}
