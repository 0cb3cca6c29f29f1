// expect: false
// engine: auto, reduced-interleavings, petri
// Writes of one variable do not commute, whatever the values are.
var x: int;
procedure one() modifies x; { x := 1; }
procedure two() modifies x; { x := 2; }
procedure ULTIMATE.start()
  modifies x;
{
  fork 1 one();
  fork 2 two();
  join 1;
  join 2;
  assert x == 2;
}
