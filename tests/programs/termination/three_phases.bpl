// expect: true
// property: termination
procedure main() { var x, y, z: int; while (x > 0) { x := x + y; y := y + z; z := z - 1; } }
