// expect: true
// property: LTL(F at(end))
var x: int;
procedure main() modifies x;
{
  x := 3;
  while (x > 0) { x := x - 1; }
  end: x := 7;
}
