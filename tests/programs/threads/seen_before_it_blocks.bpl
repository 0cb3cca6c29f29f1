// expect: false
// The write is seen although its thread goes no further.
var x: int;
procedure writer() modifies x; { x := 1; assume false; }
procedure main() modifies x; {
  x := 0;
  fork 1 writer();
  assert x != 1;
}
