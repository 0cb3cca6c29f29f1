// expect: false(no-deadlock)
// property: no-deadlock
// Each thread has the lock that the other one waits for.
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
  atomic { assume b == 0; b := 1; }
  atomic { assume a == 0; a := 1; }
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
