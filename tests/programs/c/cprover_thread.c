// expect: unknown
int x; void f(void) { x = 1; }
int main(void){ __CPROVER_ASYNC_1: f(); __CPROVER_assert(x == 1, ""); return 0; }
