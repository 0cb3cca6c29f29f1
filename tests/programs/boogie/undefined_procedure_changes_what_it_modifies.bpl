// expect: false
var g, h: int;
procedure touch();
  modifies g;
procedure main()
  modifies g, h;
{
  g := 1;
  h := 1;
  call touch();
  assert h == 1;
  assert g == 1;
}
