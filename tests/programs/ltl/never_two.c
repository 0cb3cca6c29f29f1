// expect: false(ltl)
// property: LTL(F "x == 2")
// The execution ends with x == 1, and stays there.
int x;
int main(void) { x = 1; return 0; }
