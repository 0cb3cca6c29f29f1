// expect: true
procedure main() {
  var i, s: int;
  i := 0;
  s := 0;
  while (i < 10)
    invariant 0 <= i && i <= 10;
    invariant s == 2 * i;
  {
    i := i + 1;
    s := s + 2;
  }
  assert s == 20;
}
