// expect: false
procedure p() returns (a: [int]int)
  ensures (forall i: int :: a[i] == 0);
{
  a[1] := 0;
  if (*) { return; }
  a[2] := 0;
}
