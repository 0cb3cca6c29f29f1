// expect: true
// property: termination
procedure main() {
  var i, j, n: int;
  i := 0;
  while (i < n) { j := 0; while (j < i) { j := j + 1; } i := i + 1; }
}
