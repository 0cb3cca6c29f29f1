// expect: true
// may: unknown
// engine: auto, trace-abstraction, kojak, impact, predicate-abstraction, bmc
// timeout: 2s
// Invariant: x + y == 1, or the two cases.
procedure main() {
  var x, y: int;
  x, y := 0, 1;
  while (*) { x, y := y, x; }
  assert x + y == 1;
}
