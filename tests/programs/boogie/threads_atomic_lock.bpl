// expect: true
var lock, g: int;
procedure worker()
  modifies lock, g;
{
  atomic { assume lock == 0; lock := 1; }
  g := g + 1;
  assert g == 1;
  g := g - 1;
  lock := 0;
}
procedure ULTIMATE.start()
  modifies lock, g;
{
  lock, g := 0, 0;
  fork 1 worker();
  fork 2, 2 worker();
  join 1;
  join 2, 2;
  assert g == 0;
}
