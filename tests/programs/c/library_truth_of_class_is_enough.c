// expect: true
#include <assert.h>
#include <ctype.h>
int main(void) {
  int c = isalpha('a'), d = isdigit('a');
  assert(c && !d && isspace(' ') != 0);
  return 0;
}
