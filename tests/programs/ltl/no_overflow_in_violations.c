// expect: true
// property: LTL(G "x >= 0")
// x is negative only after an overflow, which is undefined: no execution that counts gets there.
int x;
int main(void) { while (1) x = x + 1; }
