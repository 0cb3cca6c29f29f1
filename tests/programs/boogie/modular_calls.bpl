// expect: false
// args: --modular
// A caller knows the contract of its callee, not its body.
procedure next(x: int) returns (y: int)
  ensures y > x;
{
  y := x + 1;
}

procedure p()
{
  var r: int;
  call r := next(3);
  assert r > 3;
  assert r == 4;
}
