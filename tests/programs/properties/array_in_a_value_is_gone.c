// expect: false(valid-deref)
// property: valid-memsafety
// data-model: LP64
// It lives until the end of the full expression (C11 6.2.4p8).
struct three { int a[3]; };
static struct three make(void) {
  struct three s = {{1, 2, 3}};
  return s;
}
int main(void) {
  int *p = make().a;
  return *p - 1;
}
