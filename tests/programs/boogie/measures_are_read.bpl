// expect: true
procedure main(n: int)
  requires n >= 0;
  decreases n;
{
  var i: int;
  i := n;
  while (i > 0) invariant i >= 0; measure i; { i := i - 1; }
  assert i == 0;
}
