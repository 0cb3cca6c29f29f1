// expect: false
// The invariant does not hold in the last iteration.
procedure count(n: int) returns (i: int)
  requires n >= 0;
{
  i := 0;
  while (i < n)
    invariant 0 <= i && i <= n && i != 4;
  {
    i := i + 1;
  }
}
