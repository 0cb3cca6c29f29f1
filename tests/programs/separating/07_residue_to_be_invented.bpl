// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: trace-abstraction, kojak, impact, predicate-abstraction, bmc
// Invariant: x mod 3 == 1, which stands nowhere in the text.
procedure main() {
  var x: int;
  x := 1;
  while (*) {
    if (*) { x := x + 3; } else { x := x - 3; }
  }
  assert x != 0;
}
