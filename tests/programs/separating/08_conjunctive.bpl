// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Invariant: j == 2 * i && i <= n. Half of it is useless.
procedure main() {
  var i, j, n: int;
  assume n >= 0;
  i, j := 0, 0;
  while (i < n) { i, j := i + 1, j + 2; }
  assert j == 2 * n;
}
