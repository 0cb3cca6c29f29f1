// expect: true
// property: valid-memsafety
// data-model: LP64
struct three { int a[3]; };
static struct three make(void) {
  struct three s = {{1, 2, 3}};
  return s;
}
static int first(const int *p) { return *p; }
int main(void) {
  const int *p;
  return first(make().a) + (p = make().a, *p);
}
