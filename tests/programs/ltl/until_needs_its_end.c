// expect: false(ltl)
// property: LTL("x == 0" U "x == 1")
int x;
int main(void) { while (1) x = 0; }
