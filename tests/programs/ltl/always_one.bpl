// expect: false(ltl)
// property: LTL(G "x == 1")
// x is 0 for a moment.
var x: int;
procedure main() modifies x;
{
  x := 1;
  while (*) { }
  x := 0;
  x := 1;
  while (true) { }
}
