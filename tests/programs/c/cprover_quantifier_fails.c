// expect: false(unreach-call)
int main(void) {
  int a[10], k = nondet_int();
  for (int i = 0; i < 10; i++) a[i] = i;
  if (k >= 0 && k < 10) a[k] = 3;
  __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 10) ==> a[i] == i }, "all");
  return 0;
}
