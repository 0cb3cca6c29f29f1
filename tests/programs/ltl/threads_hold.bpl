// expect: true
// property: LTL(G "x >= 0")
var x: int;
procedure other() modifies x; { x := x + 1; }
procedure main() modifies x;
{
  x := 0;
  fork 1 other();
  while (true) { x := x + 1; }
}
