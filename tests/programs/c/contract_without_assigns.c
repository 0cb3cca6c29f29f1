// expect: false(contract)
// args: --modular
// For CBMC a contract without an assigns clause assigns nothing.
int g;
int f(int x) __CPROVER_requires(x > 0 && x < 9) __CPROVER_ensures(__CPROVER_return_value == x + 1) {
  g = 1;
  return x + 1;
}
int main(void) { return f(3); }
