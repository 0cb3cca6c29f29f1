// expect: true
procedure half(x: int) returns (y: int)
  requires x mod 2 == 0;
{
  assert (x div 2) * 2 == x;
  y := x div 2;
}
procedure main() {
  var y: int;
  call y := half(8);
}
