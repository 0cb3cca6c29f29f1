// expect: true
// property: termination
// Division truncates in C: -1 / 2 is 0. With rounding down the loop would not end.
int main(void) { int i = -1; while (i < 0) i = i / 2; return 0; }
