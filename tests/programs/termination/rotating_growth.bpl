// expect: false
// property: termination
// Needs an eigenvector: the difference x - y doubles, although neither guard is preserved by itself.
procedure main() { var x, y: int; while (x - y >= 1) { x, y := 3 * x - 2 * y, x; } }
