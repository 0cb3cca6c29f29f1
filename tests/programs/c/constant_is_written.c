// expect: false(valid-deref)
// property: valid-memsafety
static const int k = 7;
int main(void) {
  int *p = (int *)&k;
  *p = 8;
  return k;
}
