// expect: false
procedure main() {
  var x: int;
  assert x == 0;
}
