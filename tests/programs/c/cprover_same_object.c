// expect: true
_Bool __CPROVER_same_object(const void *, const void *);
int main(void){ int x, y; if (__CPROVER_same_object(&x, &y)) __CPROVER_assert(0, ""); return 0; }
