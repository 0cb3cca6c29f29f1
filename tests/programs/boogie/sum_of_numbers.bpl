// expect: true
// engine: auto, affine
// Gauss's sum: the invariant 2 * s == i * i - i is found as an affine equation over monomials.
procedure main() {
  var i, n, s: int;
  assume n >= 0;
  i := 0;
  s := 0;
  while (i <= n) {
    s := s + i;
    i := i + 1;
  }
  assert 2 * s == n * (n + 1);
}
