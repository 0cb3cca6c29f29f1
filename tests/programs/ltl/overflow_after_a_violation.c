// expect: false(ltl)
// property: LTL(G "x < 5")
// The formula is violated long before the number overflows.
int x;
int main(void) { while (1) x = x + 1; }
