// expect: false
// The loop runs once too often.
procedure main() {
  var i, n, sum: int;
  assume n > 0 && n <= 3;
  i, sum := 0, 0;
  while (i <= n) {
    sum := sum + 1;
    i := i + 1;
  }
  assert sum == n;
}
