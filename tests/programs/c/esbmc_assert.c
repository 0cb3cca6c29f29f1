// expect: false(unreach-call)
int main(void){ int x = 1; __ESBMC_assert(x == 2, "x"); return 0; }
