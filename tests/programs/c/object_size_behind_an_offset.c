// expect: true
// data-model: LP64
#include <assert.h>
struct pair { char first[4]; char second[6]; };
char whole[8];
int main(void) {
  char b[3];
  struct pair p;
  assert(__builtin_object_size(b + 1, 0) == 2 && __builtin_object_size(&b[3], 0) == 0);
  assert(__builtin_object_size(p.first, 0) == 10 && __builtin_object_size(&p.first[1], 1) == 3);
  assert(__builtin_object_size(whole, 1) == 8 && __builtin_object_size("abc", 0) == 4);
  return 0;
}
