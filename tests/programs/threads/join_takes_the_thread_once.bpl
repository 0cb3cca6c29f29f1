// expect: true
// engine: auto, reduced-interleavings, petri
// The second join waits for the second thread, though the first one had the same id.
var x: int;
procedure T() modifies x; { x := 0; }
procedure ULTIMATE.start()
  modifies x;
{
  fork 1 T();
  join 1;
  x := 5;
  fork 1 T();
  join 1;
  assert x == 0;
}
