// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: trace-abstraction, taipan, kojak, impact, predicate-abstraction
// Invariant: (0 <= x <= 51 && x == y) || (51 <= x <= 102 && x + y == 102).
procedure main() {
  var x, y: int;
  x, y := 0, 0;
  while (true) {
    if (x <= 50) { y := y + 1; } else { y := y - 1; }
    if (y < 0) { break; }
    x := x + 1;
  }
  assert x == 102;
}
