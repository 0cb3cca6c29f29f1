// expect: true
procedure main() {
  var i, n: int;
  assume 0 <= n;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i == n;
}
