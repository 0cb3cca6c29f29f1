// expect: unknown
// How the quotient is rounded depends on the library of the compiler.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  double _Complex z = 1.0 + 2.0i, w = 1.0 + 1.0i;
  z = z / w;
  if (__real__ z != 1.5) reach_error();
  return 0;
}
