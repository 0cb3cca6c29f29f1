// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Invariant: x >= 1. The constants 1, 2, 4, … diverge.
procedure main() {
  var x: int;
  x := 1;
  while (*) { x := 2 * x; }
  assert x != 0;
}
