// expect: true
// (1 + 2i)² = -3 + 4i
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  double _Complex z = 1.0 + 2.0i;
  z *= z;
  if (__real__ z != -3.0 || __imag__ z != 4.0) reach_error();
  return 0;
}
