// expect: false(unreach-call)
// Three threads are needed.
var x: int;
procedure inc() modifies x; { x := x + 1; }
procedure main() modifies x;
{
  x := 0;
  while (*) { fork 1 inc(); }
  assert x <= 2;
}
