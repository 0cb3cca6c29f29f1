// The countdown stops at 3, so a request may wait for ever.
// expect: false(ltl)
// property: LTL(G (AP(request == 1) ==> F AP(grant == 1)))
// state: new
extern int __VERIFIER_nondet_int(void);
int request, grant, wait;
int main(void) {
  while (1) {
    request = __VERIFIER_nondet_int() != 0;
    grant = 0;
    if (request) {
      wait = __VERIFIER_nondet_int();
      if (wait > 5) wait = 5;
      while (wait > 0) { if (wait != 3) wait--; }
      grant = 1;
    }
  }
}
