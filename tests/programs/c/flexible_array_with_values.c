// expect: true
// data-model: LP64
#include <assert.h>
struct list { int n; int elements[]; };
static struct list three = {3, {1, 2, 3}};
static int sum(const struct list *l) {
  int s = 0;
  for (int i = 0; i < l->n; i++) s += l->elements[i];
  return s;
}
int main(void) {
  static struct list two = {.n = 2, .elements = {[1] = 5}};
  assert(sizeof three == 4 && sum(&three) == 6 && sum(&two) == 5);
  three.elements[2] = 4;
  assert(sum(&three) == 7);
  return 0;
}
