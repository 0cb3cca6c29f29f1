// expect: true
var g: int;
procedure p(x: int) returns (y: int)
  free requires x > 0;
  ensures y > 3;
  modifies g;
{
  y := 4 + x;
  g := 0;
}
procedure main() {
  var y: int;
  call y := p(-1);
  assert y > 3;
}
