// expect: true
// property: LTL("x == 0" WU "x == 1")
int x;
int main(void) { while (1) x = 0; }
