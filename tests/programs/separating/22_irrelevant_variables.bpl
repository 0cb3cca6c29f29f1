// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Invariant: f == 1. Strongest postconditions of whole traces never repeat.
procedure main() {
  var f, i, s, u: int;
  f := 1;
  while (*) {
    s := s + i;
    u := u + 2 * s;
    i := i + 1;
    if (u > i) { u := u - i; }
  }
  assert f == 1;
}
