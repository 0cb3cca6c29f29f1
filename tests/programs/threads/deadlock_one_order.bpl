// expect: true
// property: no-deadlock
// Both threads take the locks in the same order.
var a, b: int;
procedure one() modifies a, b;
{
  atomic { assume a == 0; a := 1; }
  atomic { assume b == 0; b := 1; }
  b := 0;
  a := 0;
}
procedure other() modifies a, b;
{
  atomic { assume a == 0; a := 1; }
  atomic { assume b == 0; b := 1; }
  a := 0;
  b := 0;
}
procedure main() modifies a, b;
{
  a := 0;
  b := 0;
  fork 1 one();
  fork 2 other();
  join 1;
  join 2;
}
