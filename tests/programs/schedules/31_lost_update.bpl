// expect: false(unreach-call)
// Both threads may read before either writes.
var x: int;
procedure inc() modifies x; { var t: int; t := x; x := t + 1; }
procedure main() modifies x;
{
  x := 0;
  fork 1 inc();
  fork 2 inc();
  join 1;
  join 2;
  assert x == 2;
}
