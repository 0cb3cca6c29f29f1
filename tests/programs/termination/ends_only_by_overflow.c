// expect: unknown
// property: termination
// The loop ends only if i overflows, which is undefined: there is nothing to be said about this program.
int main(void) { int i = 1; while (i > 0) { i = i + 1; } return 0; }
