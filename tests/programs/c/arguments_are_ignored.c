// expect: false
// What argv points to is not modelled, but nobody looks at it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(int argc, char **argv) {
  if (__VERIFIER_nondet_int() == 42)
    reach_error();
  return 0;
}
