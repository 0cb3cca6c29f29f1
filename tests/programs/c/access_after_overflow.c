// expect: unknown
// property: valid-memsafety
int main(void) {
  int a[10] = {0};
  int x = 2147483647;
  int y = x + 1;
  if (y < 0) return a[y];
  return 0;
}
