// expect: true
// property: LTL(F "FLAG == 1")
// The F of FLAG is no operator.
int FLAG;
int main(void) { FLAG = 1; while (1) { } }
