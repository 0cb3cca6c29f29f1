// expect: false
var g: int where g >= 0;
procedure main() modifies g; {
  g := g - 1;
  assert g >= 0;
}
