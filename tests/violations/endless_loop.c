// property: termination
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x != 10) {
    if (x > 5) x = 4;
    else x = 6;
  }
  return 0;
}
