// expect: true
int nondet_int();
int main(void){ int x = nondet_int(); __CPROVER_assume(x > 3 && x < 10); __CPROVER_assert(x * 2 > 6, "twice"); return 0; }
