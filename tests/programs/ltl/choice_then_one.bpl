// expect: true
// property: LTL(F G "x == 1")
// The loop may go on for ever, but x stays 1 in it.
var x: int;
procedure main() modifies x;
{
  x := 1;
  while (*) { }
  x := 0;
  x := 1;
  while (true) { }
}
