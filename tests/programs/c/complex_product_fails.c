// expect: false
// (1 + 2i)² has an imaginary part.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  double _Complex z = 1.0 + 2.0i;
  z *= z;
  if (__imag__ z != 0.0) reach_error();
  return 0;
}
