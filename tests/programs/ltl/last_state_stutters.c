// expect: true
// property: LTL(F G "x == 1")
// An execution that has ended repeats its last state.
int x;
int main(void) { x = 1; return 0; }
