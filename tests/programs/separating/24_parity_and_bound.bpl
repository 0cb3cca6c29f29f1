// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: trace-abstraction, kojak, impact, predicate-abstraction, bmc
// Invariant: n == 2 * h && x mod 2 == 0 && x <= n.
procedure main() {
  var h, n, x: int;
  n := 2 * h;
  assume n >= 0;
  x := 0;
  while (x < n) { x := x + 2; }
  assert x == n;
}
