// expect: false
// property: termination
// The choice has to grow with x.
procedure main() { var x, y: int; while (x >= 0 && y >= x) { x := x + 1; havoc y; assume y <= 2 * x; } }
