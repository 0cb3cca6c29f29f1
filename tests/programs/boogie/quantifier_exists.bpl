// expect: true
procedure main() {
  var x: int;
  x := 4;
  assert (exists y: int :: y == x);
}
