// expect: true
// Results are those of the thread that is joined, not of an earlier one with its id.
procedure T(a: int) returns (r: int) { r := a; }
procedure ULTIMATE.start()
{
  var y: int;
  fork 1 T(3);
  join 1 assign y;
  assert y == 3;
  fork 1 T(4);
  join 1 assign y;
  assert y == 4;
}
