// expect: true
// property: termination
// y stays at least 1 because (y + 1) div 2 rounds down to 1: this needs integers.
procedure main() { var x, y: int; y := 2; while (x >= 0) { x := x - y; y := (y + 1) div 2; } }
