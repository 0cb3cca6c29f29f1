// expect: false
// Invariants that hold do not hide an assertion that fails.
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
    invariant i >= 0;
  {
    i := i + 1;
    assert i != 3;
  }
}
