// expect: false(unreach-call)
// What a thread does before it waits for ever is seen by the others.
var x: int;
procedure one() modifies x; { x := 1; assume false; }
procedure two() { assert x != 1; }
procedure main() modifies x;
{
  x := 0;
  fork 1 one();
  fork 2 two();
}
