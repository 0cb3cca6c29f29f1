// expect: true
procedure main() {
  var x: int;
  x := 7 / 2;
  assert x == 3;
}
