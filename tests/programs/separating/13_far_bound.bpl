// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: trace-abstraction, impact, bmc
// Invariant: x <= 1000000, from the guard and not from unrollings.
procedure main() {
  var x: int;
  x := 0;
  while (x < 1000000) { x := x + 1; }
  assert x == 1000000;
}
