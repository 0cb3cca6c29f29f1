// expect: true
// engine: auto, thread-modular
// As many threads as there may be: no product has room for them.
var x, m: int;
procedure worker() modifies x, m;
{
  atomic { assume m == 0; m := 1; }
  x := 0;
  x := 1;
  assert x >= 1;
  atomic { assume m == 1; m := 0; }
}
procedure ULTIMATE.start() modifies x, m;
{
  x := 1;
  m := 0;
  while (*) { fork 0 worker(); }
}
