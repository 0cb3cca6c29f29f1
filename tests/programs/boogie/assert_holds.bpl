// expect: true
procedure main() {
  var x: int;
  x := 3;
  assert x * x == 9;
}
