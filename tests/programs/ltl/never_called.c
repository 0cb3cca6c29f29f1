// expect: true
// property: LTL(G ! call(unused))
// A function that is never reached is never called.
int x;
void unused(void) { x = 1; }
int main(void) { x = 2; return 0; }
