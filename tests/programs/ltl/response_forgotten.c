// expect: false(ltl)
// property: ltl
//@ ltl invariant answered: [](AP(request > 0) ==> <>AP(request == 0));
// A request of 1 is never answered.
extern int __VERIFIER_nondet_int(void);
int request;
int main(void) {
  while (1) {
    request = __VERIFIER_nondet_int();
    while (request > 1) request--;
  }
}
