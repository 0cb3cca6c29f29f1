// expect: true
procedure double(x: int) returns (y: int);
  ensures y == 2 * x;
implementation double(a: int) returns (b: int)
{
  b := a + a;
}
procedure main() {
  var z: int;
  call z := double(21);
  assert z == 42;
}
