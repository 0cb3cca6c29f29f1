// expect: true
// engine: auto, affine
procedure main() {
  var i, n, s: int;
  assume n >= 0;
  i := 0;
  s := 0;
  while (i < n) {
    i := i + 1;
    s := s + i * i;
  }
  assert 6 * s == n * (n + 1) * (2 * n + 1);
}
