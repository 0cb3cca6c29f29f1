// expect: false
// property: termination
// A negative x never meets 0.
procedure main() { var x: int; while (x != 0) { x := x - 1; } }
