// expect: false
// The cell does not change while thread 3 looks at it; while thread 4 does, it may.
var a: [int]int;
procedure writes(id: int) modifies a;
{
  var x: int;
  if (id == 3) { x := a[3]; assert a[3] == x; }
  if (id == 4) { x := a[3]; assert a[3] == x; }
  a[id] := a[id] + 1;
}
procedure main() modifies a;
{
  var i, n: int;
  i := 0;
  while (i < n) { fork i writes(i); i := i + 1; }
}
