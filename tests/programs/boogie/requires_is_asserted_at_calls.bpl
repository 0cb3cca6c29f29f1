// expect: false
procedure half(x: int) returns (y: int)
  requires x mod 2 == 0;
{
  y := x div 2;
}
procedure main() {
  var y: int;
  call y := half(3);
}
