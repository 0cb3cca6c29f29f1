// expect: false
// engine: auto, reduced-interleavings, petri, thread-modular
// gives-up: thread-modular
// The second thread gets another number than the first one.
procedure worker(i: int)
{
  assert i == 0;
}
procedure ULTIMATE.start()
{
  var i: int;
  i := 0;
  while (i < 2) {
    fork i worker(i);
    i := i + 1;
  }
}
