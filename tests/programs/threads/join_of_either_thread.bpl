// expect: false
// engine: auto, reduced-interleavings, petri
// Two threads with one id: the first join takes the one that is done first, the other may still run.
var x: int;
procedure T(n: int) modifies x; { x := n; }
procedure ULTIMATE.start()
  modifies x;
{
  x := 0;
  fork 7 T(1);
  fork 7 T(2);
  join 7;
  assert x == 1 || x == 2;
  join 7;
  assert x == 2;
}
