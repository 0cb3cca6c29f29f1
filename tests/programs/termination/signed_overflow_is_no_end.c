// expect: true
// property: termination
// The loop would go on for ever only by letting i overflow, which is undefined: no execution does that.
int main(void) { int i = 1; while (i > 0) { i = i + 1; } return 0; }
