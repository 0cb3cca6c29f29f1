// expect: false
// What main does last is seen before it returns.
var x: int;
procedure looker() { assert x != 1; }
procedure main() modifies x; {
  x := 0;
  fork 1 looker();
  x := 1;
}
