// expect: true
procedure p(a: [int]int) returns (b: [int]int)
  requires (forall i: int :: a[i] >= 0);
  ensures (forall i: int :: b[i] > 0 || i == 1);
{
  b := a[1 := 7];
  assume (forall i: int :: b[i] > 0);
  if (*) { return; }
  b[1] := 0;
}
procedure main(a: [int]int) {
  var b: [int]int;
  assume (forall i: int :: a[i] >= 0);
  call b := p(a);
  assert b[5] > 0;
}
