// expect: false
procedure main() {
  var x: int;
  assert x div 0 == 0;
}
