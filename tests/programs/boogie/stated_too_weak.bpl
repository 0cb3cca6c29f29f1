// expect: true
// The invariants hold, but are not inductive: y is never negative because x is not.
procedure main(n: int)
{
  var x, y, i: int;
  x := 0;
  y := 0;
  i := 0;
  while (i < n)
    invariant y >= 0;
  {
    y := y + x;
    x := x + 1;
    i := i + 1;
  }
  assert y >= 0;
}
