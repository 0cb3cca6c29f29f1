// expect: true
// engine: auto, reduced-interleavings, petri
// A thread that was joined cannot be joined again: nobody comes behind the second join.
var x: int;
procedure T() modifies x; { x := 1; }
procedure ULTIMATE.start()
  modifies x;
{
  fork 1 T();
  join 1;
  assert x == 1;
  join 1;
  assert false;
}
