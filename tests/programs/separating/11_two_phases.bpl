// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: trace-abstraction, kojak, impact, predicate-abstraction
// Invariant: (x <= 50 && y == 50) || (50 <= x <= 100 && y == x).
procedure main() {
  var x, y: int;
  x, y := 0, 50;
  while (x < 100) {
    if (x >= 50) { y := y + 1; }
    x := x + 1;
  }
  assert y == 100;
}
