// expect: true
// property: valid-memsafety
#include <stdio.h>
int main(void) {
  char word[4] = "abc", other[3] = {'a', 'b', 'c'};
  int n = 3;
  printf("%s %5s %-3d%%\n", word, word, 7);
  fprintf(stderr, "%.*s|%c\n", n, other, 'x');
  puts(word);
  fputs(&word[1], stdout);
  return 0;
}
