// expect: false
var g: int;
procedure worker()
  modifies g;
{
  g := 1;
}
procedure ULTIMATE.start()
  modifies g;
{
  g := 0;
  fork 1 worker();
  assert g == 0;
  join 1;
}
