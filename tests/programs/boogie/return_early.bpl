// expect: true
procedure sign(x: int) returns (s: int)
{
  if (x < 0) { s := -1; return; }
  if (x > 0) { s := 1; return; }
  s := 0;
}
procedure main() {
  var s: int;
  call s := sign(-7);
  assert s == -1;
  call s := sign(0);
  assert s == 0;
}
