// expect: true
// The section cannot be finished, so it is never begun.
var x: int;
procedure writer() modifies x; { atomic { x := 1; assume false; } }
procedure main() modifies x; {
  x := 0;
  fork 1 writer();
  assert x != 1;
}
