// expect: true
void __assert(int c) { if (!c) { L: goto L; } }
int main(void){ int x = 1; __assert(x == 1); __CPROVER_assert(x == 1, "x"); return 0; }
