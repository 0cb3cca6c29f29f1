// expect: true
#include <assert.h>
__attribute__((pure)) int length(char *);
int main(void) {
  char s[2] = "a";
  length(s);
  assert(s[0] == 'a');
  return 0;
}
