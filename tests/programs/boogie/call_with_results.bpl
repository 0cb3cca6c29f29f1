// expect: true
procedure divide(a: int, b: int) returns (q: int, r: int)
{
  q := a div b;
  r := a mod b;
}
procedure main() {
  var q, r: int;
  call q, r := divide(-7, 2);
  assert q == -4 && r == 1;
  call q, r := divide(7, -2);
  assert q == -3 && r == 1;
}
