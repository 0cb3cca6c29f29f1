// expect: false
// engine: auto, reduced-interleavings, petri
var x: int;
procedure worker() modifies x;
{
  x := 0;
  x := 1;
  assert x >= 1;
}
procedure ULTIMATE.start() modifies x;
{
  x := 1;
  while (*) { fork 0 worker(); }
}
