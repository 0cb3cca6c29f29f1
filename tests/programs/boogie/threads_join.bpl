// expect: true
var g: int;
procedure worker(by: int) returns (r: int)
  modifies g;
{
  g := g + by;
  r := by;
}
procedure ULTIMATE.start()
  modifies g;
{
  var r: int;
  g := 0;
  fork 1 worker(5);
  join 1 assign r;
  assert g == 5 && r == 5;
}
