// The access is inside the record, but outside of the member.
// expect: false(valid-deref)
// property: undefined
// data-model: LP64
extern int __VERIFIER_nondet_int(void);
struct s { int a[2]; int b; };
int main(void) {
  struct s s = { { 0, 0 }, 0 };
  struct s *p = &s;
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i <= 2)
    p->a[i] = 1;
  return 0;
}
