// expect: true
var g: int;
procedure twice()
  modifies g;
{
  g := g + 1;
  g := g + 1;
  assert g == old(g) + 2;
}
procedure main()
  modifies g;
{
  g := 5;
  call twice();
  assert g == 7;
}
