// expect: false
// property: termination
// x can be chosen as large as the assumption wants it.
procedure main() { var x, before: int; while (x > 1) { before := x; havoc x; assume x >= 2*before; } }
