// expect: false(ltl)
// property: LTL(F "x == 1")
// The loop does nothing, and x stays 0 in it.
int x;
int main(void) { for (;;); }
