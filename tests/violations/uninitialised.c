// property: no-uninitialised-read
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int sign;
  int n = __VERIFIER_nondet_int();
  if (n > 0) sign = 1;
  if (n < 0) sign = -1;
  return sign;
}
