// expect: false
// engine: auto, reduced-interleavings, petri, thread-modular
// gives-up: thread-modular
// The worker may look between the last write and the end of the program.
var x: int;
procedure worker()
{
  assert x == 0;
}
procedure ULTIMATE.start() modifies x;
{
  var l: int;
  l := 0;
  x := 0;
  fork 1 worker();
  x := 2;
  assert l == 0;
}
