// expect: unknown
// The function may return the address of an object of its own.
struct s { int *p; };
struct s nondet_s(void);
int main(void) {
  struct s s = nondet_s();
  __CPROVER_assert(!__CPROVER_r_ok(s.p, 4), "perhaps");
  return 0;
}
