// expect: false(ltl)
// property: LTL(F "done == 1")
// All calls stay pending. The number that is passed stays small.
int done;
void again(int n) { again(1 - n); }
int main(void) { again(0); done = 1; return 0; }
