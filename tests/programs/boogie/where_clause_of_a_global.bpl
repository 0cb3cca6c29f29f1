// expect: true
var g: int where g >= 0;
procedure main()
  modifies g;
{
  assert g >= 0;
  g := -1;
  havoc g;
  assert g >= 0;
}
