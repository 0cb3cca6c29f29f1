// expect: false(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[10] = {0};
  int x = __VERIFIER_nondet_int();
  int y = x + 1;
  if (y > 5) return a[y + 6] ;
  return 0;
}
