// expect: false
// property: termination
// All calls stay pending.
procedure f(x: int) { call f(x); }
procedure main() { var x: int; call f(x); }
