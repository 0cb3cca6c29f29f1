// expect: false(unreach-call)
// data-model: LP64
__CPROVER_bool nondet_bool(); __CPROVER_size_t nondet_size_t(void);
int main(void){ __CPROVER_bool b = nondet_bool(); __CPROVER_size_t n = nondet_size_t(); __CPROVER_assume(n < 5); int a[5] = {0}; a[n] = 1; __CPROVER_assert(!b || a[n] != 1, ""); return 0; }
