// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: trace-abstraction, taipan, bmc
// Invariant: k < 0 || i <= k || a[k] == 0.
procedure main() {
  var a: [int]int;
  var i, k, n: int;
  i := 0;
  while (i < n) {
    a[i] := 0;
    i := i + 1;
  }
  assume 0 <= k && k < n;
  assert a[k] == 0;
}
