// expect: true
// property: termination
// Either case of the assumption has an invariant, their disjunction has none that is affine.
procedure main() { var x, y: int; assume x < 0 || y < 0; while (x >= 0) { x := x + y; } }
