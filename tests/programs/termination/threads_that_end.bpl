// expect: true
// property: termination
var x: int;
procedure add() modifies x; { x := x + 1; }
procedure main() modifies x; {
  x := 0;
  fork 1 add();
  x := x + 1;
  join 1;
}
