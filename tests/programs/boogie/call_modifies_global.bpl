// expect: true
var g: int;
procedure bump(by: int)
  modifies g;
{
  g := g + by;
}
procedure main()
  modifies g;
{
  g := 1;
  call bump(2);
  call bump(3);
  assert g == 6;
}
