// expect: false
// property: termination
procedure main() { var x: int; while (x > 0) { havoc x; } }
