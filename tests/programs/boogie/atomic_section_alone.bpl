// expect: true
var g: int;
procedure main()
  modifies g;
{
  atomic {
    g := 1;
    g := g + 1;
  }
  assert g == 2;
}
