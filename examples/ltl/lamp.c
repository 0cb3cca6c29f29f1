// expect: false(ltl)
// property: LTL(G ("pressed == 1" ==> F "lamp == 1"))
// Whoever presses the button waits for light, but a broken lamp stays dark.
extern int __VERIFIER_nondet_int(void);
int pressed, lamp, broken;

int main(void) {
  broken = __VERIFIER_nondet_int() != 0;
  while (1) {
    pressed = __VERIFIER_nondet_int() != 0;
    if (pressed && !broken) {
      lamp = 1;
    }
    pressed = 0;
    lamp = 0;
  }
}
