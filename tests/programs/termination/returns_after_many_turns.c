// expect: false
// property: termination
// The state is a fixed point only after seven turns.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char w = 3, h = __VERIFIER_nondet_uchar() & 1;
  while (w > h) { w = w * 2 + 1; }
  return 0;
}
