// expect: true
procedure main(x: int)
  requires x > 3;
{
  assert x > 2;
}
