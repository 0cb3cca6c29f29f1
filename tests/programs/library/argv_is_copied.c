// expect: false(valid-deref)
// property: valid-memsafety
// An argument may be longer than the array.
#include <string.h>
int main(int argc, char **argv) {
  char word[4];
  if (argc > 1)
    strcpy(word, argv[1]);
  return 0;
}
