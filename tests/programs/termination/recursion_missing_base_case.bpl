// expect: false
// property: termination
// The argument jumps over 0.
procedure f(n: int) { if (n != 0) { call f(n - 2); } }
procedure main() { call f(1); }
