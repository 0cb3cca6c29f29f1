// expect: false(valid-deref)
// property: valid-memsafety
#include <stdio.h>
int main(void) {
  char word[3] = {'a', 'b', 'c'};
  printf("%.3s\n", word);
  printf("%s\n", word);
  return 0;
}
