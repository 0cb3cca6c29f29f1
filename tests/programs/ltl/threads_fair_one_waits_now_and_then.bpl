// expect: false(ltl)
// property: LTL(F "x == 1")
// args: --fair
// Weak fairness: the second thread can go on again and again, but not without a break.
var x, y: int;
procedure A() modifies y; { while (true) { y := 1 - y; } }
procedure B() modifies x; { atomic { assume y == 1; x := 1; } }
procedure main() modifies x, y;
{
  x := 0;
  y := 0;
  fork 1 A();
  fork 2 B();
  while (true) { }
}
