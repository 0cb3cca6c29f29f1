// expect: true
// property: valid-memsafety
// data-model: LP64
struct list { int n; int elements[]; };
static struct list l = {3, {1, 2, 3}};
int main(void) {
  int s = 0;
  for (int i = 0; i < l.n; i++) s += l.elements[i];
  return s;
}
