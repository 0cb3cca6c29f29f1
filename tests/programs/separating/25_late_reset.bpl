// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Invariant: p != 0 || n < 0. Two automata with one predicate each, or one disjunction.
procedure main() {
  var n, p: int;
  assume p != 0;
  while (n >= 0) {
    assert p != 0;
    if (n == 0) { p := 0; }
    n := n - 1;
  }
}
