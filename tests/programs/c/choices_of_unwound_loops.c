// expect: false
// Which way is taken is left open: both values reach the end, the one of the second way, too.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
  int a[3] = {0, 0, 0}, at = 0;
  for (int i = 0; i < 3; i++) {
    if (__VERIFIER_nondet_bool()) at = i;
    a[at] += i;
  }
  if (a[1] == 3) reach_error();
  return 0;
}
