// expect: true
// args: --modular
var g: int;

procedure next(x: int) returns (y: int)
  modifies g;
  ensures y > x && g == old(g) + 1;
{
  g := g + 1;
  y := x + 1;
}

procedure {:inline 1} twice(x: int) returns (y: int)
{
  y := 2 * x;
}

// A call of a procedure that calls itself is what its contract says.
procedure down(n: int) returns (r: int)
  requires n >= 0;
  ensures r == 0;
{
  if (n == 0) {
    r := 0;
  } else {
    call r := down(n - 1);
  }
}

procedure main()
  modifies g;
{
  var r: int;
  g := 0;
  call r := next(3);
  assert r > 3 && g == 1;
  call r := twice(4);
  assert r == 8;
  call r := down(1000000);
  assert r == 0;
}
