// expect: true
// property: termination
procedure main() { var x: int; while (true) { assume x > 0; x := x - 1; } }
