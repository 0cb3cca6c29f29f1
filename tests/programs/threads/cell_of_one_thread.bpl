// expect: true
var a: [int]int;
procedure writes(id: int) modifies a;
{
  var x: int;
  if (id == 3) { x := a[3]; assert a[3] == x; }
  if (id == 4) { x := a[4]; assert a[4] == x; }
  a[id] := a[id] + 1;
}
procedure main() modifies a;
{
  var i, n: int;
  i := 0;
  while (i < n) { fork i writes(i); i := i + 1; }
}
