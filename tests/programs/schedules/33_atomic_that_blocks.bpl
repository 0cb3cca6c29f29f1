// expect: true
var x: int;
procedure one() modifies x; { atomic { x := 1; assume false; } }
procedure two() { assert x != 1; }
procedure main() modifies x;
{
  x := 0;
  fork 1 one();
  fork 2 two();
}
