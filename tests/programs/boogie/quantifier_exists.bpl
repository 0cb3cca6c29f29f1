// expect: true
// may: unknown
procedure main() {
  var x: int;
  x := 4;
  assert (exists y: int :: y == x);
}
