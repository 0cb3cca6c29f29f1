// expect: false
// A number that is counted up is not the address of an object: another thread may use the same index.
var n: int;
var a: [int]int;
procedure takes() modifies n, a;
{
  var x: int;
  x, n := n, n + 1;
  a[x] := 1;
  assert a[x] == 1;
}
procedure writes() modifies a; { a[0] := 2; }
procedure main() modifies n, a;
{
  n := 0;
  fork 1 takes();
  fork 2 takes();
  fork 3 writes();
}
