// expect: true
procedure main() {
  var x: int, y: int where y == x + 1;
  assert y == x + 1;
  havoc x, y;
  assert y == x + 1;
}
