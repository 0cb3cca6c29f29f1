// expect: false
// property: termination
// With y <= 0 the second branch does nothing.
procedure main() {
  var x, y: int;
  while (x > 0) { if (*) { x := x - 1; havoc y; } else { if (y > 0) { y := y - 1; } } }
}
