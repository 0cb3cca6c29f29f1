// expect: true
// property: termination
// The running example of the lecture on Büchi programs: one module with rank y, one with rank x.
procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { x := x - 1; } else { havoc x; y := y - 1; }
  }
}
