// expect: false
// engine: auto, reduced-interleavings, petri
// The worker waits for ever after it wrote, but others see what it wrote.
var x: int;
procedure worker() modifies x;
{
  var l: int;
  l := 0;
  x := 1;
  assume l == 1;
}
procedure ULTIMATE.start()
  modifies x;
{
  x := 0;
  fork 1 worker();
  assert x == 0;
}
