// expect: true
// property: LTL(G ("output == 2" ==> F "output == 1"))
// All states are made: no ranking function is needed.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int state, input, output;
int main(void) {
  while (1) {
    input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input >= 1 && input <= 4);
    if (state == 0 && input == 2) { state = 1; output = 2; }
    else if (state == 1) { state = 2; output = 0; }
    else { state = 0; output = 1; }
  }
}
