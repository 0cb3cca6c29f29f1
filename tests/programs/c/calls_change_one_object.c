// expect: unknown
// Which call comes first is not said.
extern void reach_error(void);
static int next(int *p) {
  *p += 1;
  return *p;
}
static int twice(int *p) {
  *p *= 2;
  return *p;
}
int main(void) {
  int a = 3;
  if (next(&a) - twice(&a) != -4)
    reach_error();
  return 0;
}
