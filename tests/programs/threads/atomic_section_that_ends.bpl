// expect: true
// may: unknown
var x: int;
procedure counts() modifies x; { var i: int; i := 0; atomic { while (i < 3) { x := x + 1; i := i + 1; } } }
procedure main() modifies x;
{
  x := 0;
  fork 1 counts();
  fork 2 counts();
  join 1;
  join 2;
  assert x == 6;
}
