// expect: false
// may: unknown
var x, y: int;
procedure waits() modifies x; { atomic { while (x == 0) { x := 0; } } }
procedure other() modifies y; { y := 1; assert y == 2; }
procedure main() modifies x, y;
{
  x := 0;
  fork 1 waits();
  fork 2 other();
  join 1;
}
