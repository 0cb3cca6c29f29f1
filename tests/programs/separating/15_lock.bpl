// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Invariant: (l == 0 && n != o) || (l == 1 && n == o). A Cartesian abstraction of a merged body loses it.
procedure main() {
  var l, n, o: int;
  l := 0;
  n := o + 1;
  while (n != o) {
    assert l == 0;
    l := 1;
    o := n;
    if (*) { l, n := 0, n + 1; }
  }
  assert l == 1;
}
