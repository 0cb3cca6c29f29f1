// expect: true
// args: --modular
int g;
int f(int x) __CPROVER_requires(x > 0 && x < 9) __CPROVER_ensures(__CPROVER_return_value == x + 1) { return x + 1; }
int main(void) {
  g = 2;
  int r = f(3);
  __CPROVER_assert(r == 4 && g == 2, "the frame");
  return 0;
}
