// expect: false(valid-deref)
// property: valid-memsafety
// Nothing bounds the word.
#include <stdio.h>
int main(void) {
  char word[4];
  return scanf("%s", word) != 1;
}
