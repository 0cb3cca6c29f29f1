// expect: true
procedure main() {
  var x: int;
  x := 0;
  block:
  if (true) {
    x := 1;
    if (x == 1) { break block; }
    x := 2;
  }
  assert x == 1;
}
