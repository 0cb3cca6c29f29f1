// expect: false(ltl)
// property: LTL(G "state != 2")
// The violation is three calls deep.
int state;
void down(int n) { if (n == 0) { state = 2; return; } down(n - 1); }
int main(void) { state = 0; down(2); state = 0; return 0; }
