// expect: false(valid-deref)
// property: valid-memsafety
#include <stdio.h>
int main(void) {
  char word[4];
  sscanf("abc", "%s", word);
  sscanf("abcd", "%3s", word);
  sscanf("abcd", "%s", word);
  return 0;
}
