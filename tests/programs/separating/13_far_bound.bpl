// expect: true
// may: unknown
// engine: auto, trace-abstraction, kojak, impact, predicate-abstraction, bmc
// timeout: 2s
// Invariant: x <= 1000000, from the guard and not from unrollings.
procedure main() {
  var x: int;
  x := 0;
  while (x < 1000000) { x := x + 1; }
  assert x == 1000000;
}
