// expect: false
procedure main() {
  var x, y: int;
  x, y := 1, 1;
  havoc x;
  assert y == 1;
  assert x == y;
}
