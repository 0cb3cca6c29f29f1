// expect: false
// property: termination
procedure main() { var x: int; while (x >= 1) { x := 2*x + 1; } }
