// expect: false(unreach-call)
int main(void) {
  int a[4];
  for (int i = 0; i < 4; i++) a[i] = i;
  __CPROVER_assert(__CPROVER_exists { int i; (0 <= i && i < 4) && a[i] == 4 }, "none");
  return 0;
}
