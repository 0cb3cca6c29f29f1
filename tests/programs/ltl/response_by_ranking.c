// expect: true
// property: ltl
//@ ltl invariant answered: [](AP(request > 0) ==> <>AP(request == 0));
// Every request is counted down, which needs a ranking function.
extern int __VERIFIER_nondet_int(void);
int request;
int main(void) {
  while (1) {
    request = __VERIFIER_nondet_int();
    while (request > 0) request--;
    request = 0;
  }
}
