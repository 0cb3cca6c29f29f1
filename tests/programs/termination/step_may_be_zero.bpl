// expect: false
// property: termination
procedure main() { var x, y: int; assume y >= 0; while (x >= 0) { x := x - y; } }
