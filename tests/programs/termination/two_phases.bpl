// expect: true
// property: termination
// Nested ranking function: first y falls below 0, then x.
procedure main() { var x, y: int; while (x > 0) { x := x + y; y := y - 1; } }
