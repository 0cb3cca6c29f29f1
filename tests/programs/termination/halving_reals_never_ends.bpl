// expect: false
// property: termination
// Zeno: halving a positive real number leaves it positive.
procedure main() { var x: real; while (x > 0.0) { x := x / 2.0; } }
