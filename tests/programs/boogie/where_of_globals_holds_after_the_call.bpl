// expect: true
var g: int where g >= 0;
procedure p() modifies g; {
  g := g - 1;
}
procedure main() modifies g; {
  call p();
  assert g >= 0;
}
