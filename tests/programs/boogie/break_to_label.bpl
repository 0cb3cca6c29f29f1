// expect: true
procedure main() {
  var i, j: int;
  i := 0;
  outer:
  while (i < 5) {
    j := 0;
    while (true) {
      if (i + j == 2) { break outer; }
      if (j == 1) { break; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i == 1 && j == 1;
}
