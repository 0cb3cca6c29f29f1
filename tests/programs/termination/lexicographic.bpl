// expect: true
// property: termination
procedure main() { var x, y: int; while (x > 0 && y > 0) { if (*) { x := x - 1; havoc y; } else { y := y - 1; } } }
