// expect: false(valid-deref)
// property: valid-memsafety
// What was declared before the return that is taken has ended.
static int *kept;
static int early(int n) {
  int x = n;
  kept = &x;
  if (n > 1)
    return *kept;
  int y = 3;
  kept = &y;
  return *kept;
}
int main(void) {
  early(2);
  return *kept;
}
