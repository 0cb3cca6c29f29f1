// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// Outer invariant: k == i * m && i <= n; inner: k == i * m + j && j <= m && i < n. Not linear.
procedure main() {
  var i, j, k, m, n: int;
  assume n >= 0 && m >= 0;
  i, k := 0, 0;
  while (i < n) {
    j := 0;
    while (j < m) { j, k := j + 1, k + 1; }
    i := i + 1;
  }
  assert k == n * m;
}
