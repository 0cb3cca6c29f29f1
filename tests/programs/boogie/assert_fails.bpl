// expect: false
procedure main() {
  var x: int;
  havoc x;
  assume x > 10;
  assert x != 12;
}
