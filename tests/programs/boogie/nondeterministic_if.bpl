// expect: false
procedure main() {
  var x: int;
  if (*) { x := 1; } else { x := 2; }
  assert x == 1;
}
