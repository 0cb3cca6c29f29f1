// expect: false
// property: termination
// No state repeats after one turn, every one after two.
procedure main() { var x: int; while (x != 0) { x := -x; } }
