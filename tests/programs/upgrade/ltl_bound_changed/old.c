// expect: true
// property: LTL(G (AP(request == 1) ==> F AP(grant == 1)))
extern int __VERIFIER_nondet_int(void);
int request, grant, wait;
int main(void) {
  while (1) {
    request = __VERIFIER_nondet_int() != 0;
    grant = 0;
    if (request) {
      wait = __VERIFIER_nondet_int();
      if (wait > 5) wait = 5;
      while (wait > 0) wait--;
      grant = 1;
    }
  }
}
