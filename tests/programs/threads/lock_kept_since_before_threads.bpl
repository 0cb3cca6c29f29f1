// expect: true
var lock, c: int;
procedure other() modifies lock, c;
{
  atomic { assume lock == 0; lock := 1; }
  c := 2;
  lock := 0;
}
procedure main() modifies lock, c;
{
  havoc lock;
  lock := 0;
  atomic { assume lock == 0; lock := 1; }
  fork 1 other();
  c := 1;
  assert c == 1;
  lock := 0;
  join 1;
}
