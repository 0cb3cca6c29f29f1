// expect: false
// Only the contract is known where the free precondition does not hold.
procedure p(x: int) returns (y: int)
  free requires x > 0;
  ensures y > 3;
{
  y := 4 + x;
}
procedure main() {
  var y: int;
  call y := p(-1);
  assert y == 3;
}
