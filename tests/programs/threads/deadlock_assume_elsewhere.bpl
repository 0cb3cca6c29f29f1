// expect: true
// property: no-deadlock
// An assumption outside of an atomic section chooses among executions; the assertion is not asked about.
var x: int;
procedure set() modifies x; { x := 1; }
procedure main() modifies x;
{
  x := 0;
  fork 1 set();
  assert x == 0;
  assume x == 2;
  join 1;
}
