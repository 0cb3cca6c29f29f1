// expect: true
// property: LTL(G ("mode == 1" ==> F "mode == 0"))
// The number takes any value, but only its sign is asked for.
int __VERIFIER_nondet_int(void);
int mode;
int main(void) {
  int level = 0;
  while (1) {
    int step = __VERIFIER_nondet_int();
    if (step < 0 || step > 100) step = 1;
    if (level <= 0 && mode == 0) { mode = 1; level = (level % 50) + 60 + step; }
    else if (level > 50) { level = -(level % 7) - step; }
    else { mode = 0; }
  }
}
