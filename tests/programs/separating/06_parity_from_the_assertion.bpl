// expect: true
// may: unknown
// timeout: 5s
// Invariant: x mod 2 == 0, which the assertion supplies.
procedure main() {
  var x, n: int;
  x := 0;
  while (x < n) { x := x + 2; }
  assert x mod 2 == 0;
}
