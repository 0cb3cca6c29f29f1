// expect: true
// property: termination
// Only a rational number could stay in this loop.
procedure main() { var x: int; while (1 <= 3*x && 3*x <= 2) { } }
