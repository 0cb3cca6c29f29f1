// expect: true
int main(void) {
  int a[10], m[3][2], k = nondet_int();
  unsigned n = nondet_uint();
  for (int i = 0; i < 10; i++) a[i] = 2 * i;
  for (int i = 0; i < 6; i++) m[i / 2][i % 2] = i;
  __CPROVER_assume(n <= 10);
  __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 10) ==> a[i] == 2 * i }, "all");
  __CPROVER_assert(__CPROVER_forall { unsigned i; !(i < n) || a[i] < 20 }, "all below n");
  __CPROVER_assert(__CPROVER_exists { int i; (i >= 0 && i <= 9) && a[i] == 18 }, "the last one");
  __CPROVER_assert(!__CPROVER_exists { int i; 0 <= i && i < 10 && a[i] == 7 }, "none");
  __CPROVER_assert(__CPROVER_forall { int i; 0 <= i && i < 3 ==>
    __CPROVER_exists { int j; 0 <= j && j < 2 && m[i][j] == 2 * i + 1 } }, "one in another");
  __CPROVER_assert(__CPROVER_forall { unsigned char c; c <= 255 ==> c + 1 > c }, "a whole type");
  __CPROVER_assert(__CPROVER_forall { int i; i < 0 || i >= 10 || a[i] % 2 == 0 }, "a disjunction");
  __CPROVER_assert(__CPROVER_forall { int i; 0 <= i ==> (i < 10 ==> a[i] >= i) }, "twice");
  __CPROVER_assert(!__CPROVER_forall { int i; 0 <= i && i < 10 ==> i < 9 }, "not the last one");
  __CPROVER_assume(k > 3 ==> k == 7);
  __CPROVER_assert(k == 5 ==> 0, "implication");
  __CPROVER_assert(0 ==> 0 ==> 0, "to the right");
  return 0;
}
