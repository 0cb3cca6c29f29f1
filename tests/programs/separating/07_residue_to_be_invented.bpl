// expect: true
// may: unknown
// engine: auto, trace-abstraction, kojak, impact, predicate-abstraction, bmc
// timeout: 2s
// Invariant: x mod 3 == 1, which stands nowhere in the text.
procedure main() {
  var x: int;
  x := 1;
  while (*) {
    if (*) { x := x + 3; } else { x := x - 3; }
  }
  assert x != 0;
}
