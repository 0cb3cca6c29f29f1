// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Outer invariant: k >= i && m >= 1; inner: k >= i + j && m >= 1.
procedure main() {
  var i, j, k, m, n: int;
  assume m >= 1;
  i, k := 0, 0;
  while (i < n) {
    j := 0;
    while (j < m) { j, k := j + 1, k + 1; }
    i := i + 1;
  }
  assert k >= n;
}
