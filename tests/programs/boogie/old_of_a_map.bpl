// expect: true
var m: [int]int;
procedure set(i: int)
  modifies m;
  ensures m == old(m)[i := 1];
{
  m[i] := 1;
}
procedure main()
  modifies m;
{
  m[3] := 7;
  call set(4);
  assert m[3] == 7 && m[4] == 1;
}
