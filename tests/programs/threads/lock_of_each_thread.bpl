// expect: false
// A local variable is no lock: each thread has its own.
var c: int;
procedure writes(k: int) modifies c;
{
  var lock: int;
  atomic { assume lock == 0; lock := 1; }
  c := k;
  assert c == k;
  lock := 0;
}
procedure main() modifies c;
{
  fork 1 writes(1);
  fork 2 writes(2);
  join 1;
  join 2;
}
