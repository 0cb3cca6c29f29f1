// expect: true
// Both calls change what they are given, in either order.
extern void reach_error(void);
static int next(int *p) {
  *p += 1;
  return *p;
}
int main(void) {
  int a = 0, b = 5;
  if (next(&a) + next(&b) != 7 || next(&a) - next(&b) != -5)
    reach_error();
  return 0;
}
