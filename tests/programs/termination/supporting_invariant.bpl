// expect: true
// property: termination
// The step y comes from before the loop.
procedure main() { var x, y: int; assume y >= 1; while (x >= 0) { x := x - y; } }
