// expect: false(ltl)
// property: LTL(F "x == 1")
// args: --fair
// The second thread waits for ever, so it need not get a turn.
var x, y: int;
procedure A() modifies y; { while (true) { y := 1 - y; } }
procedure B() modifies x; { assume y == 2; x := 1; }
procedure main() modifies x, y;
{
  x := 0;
  y := 0;
  fork 1 A();
  fork 2 B();
  while (true) { }
}
