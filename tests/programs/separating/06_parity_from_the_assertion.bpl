// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Invariant: x mod 2 == 0, which the assertion supplies.
procedure main() {
  var x, n: int;
  x := 0;
  while (x < n) { x := x + 2; }
  assert x mod 2 == 0;
}
