// expect: true
// GNU: complex integers.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -100 || n > 100) return 0;
  _Complex int z = n + 2i;
  z = z * z;
  if (__real__ z != n * n - 4 || __imag__ z != 4 * n) reach_error();
  return 0;
}
