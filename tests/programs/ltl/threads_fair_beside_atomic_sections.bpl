// expect: true
// property: LTL(F "x == 1")
// args: --fair
// An atomic section is one step: between its statements the others do not wait, so they get their turn.
var x, y: int;
procedure A() modifies y; { while (true) { atomic { y := 1 - y; } } }
procedure B() modifies x; { x := 1; }
procedure main() modifies x, y;
{
  x := 0;
  y := 0;
  fork 1 A();
  fork 2 B();
  while (true) { }
}
