// expect: false
// The other thread may run before the atomic section begins. Once it has begun nobody else runs.
var x: int;
procedure other() { assert false; }
procedure main() modifies x;
{
  fork 1 other();
  atomic { while (true) { x := x + 1; } }
}
