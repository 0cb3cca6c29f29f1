// expect: true
procedure p() returns (y: int where y > 0)
{
  havoc y;
  y := y - 10;
}
procedure main() {
  var y: int;
  call y := p();
  assert y > 0;
}
