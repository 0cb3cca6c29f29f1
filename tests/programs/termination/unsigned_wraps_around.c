// expect: true
// property: termination
// Unsigned arithmetic wraps to 0 and the loop ends.
int main(void) { unsigned int i = 4294967290u; while (i != 0) { i++; } return 0; }
