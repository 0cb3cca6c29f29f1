// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Invariant: x + y == 1, or the two cases.
procedure main() {
  var x, y: int;
  x, y := 0, 1;
  while (*) { x, y := y, x; }
  assert x + y == 1;
}
