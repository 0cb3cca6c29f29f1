// expect: true
// The word "and" in the name is not the operation.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 100) return 0;
  int y = x;
  if (__sync_fetch_and_add(&x, 3) != y || x != y + 3) reach_error();
  if (__sync_sub_and_fetch(&x, 3) != y) reach_error();
  return 0;
}
