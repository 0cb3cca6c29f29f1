// expect: false
// The first thread takes the lock, which is overwritten before there are other threads: it no longer excludes them.
var lock, c: int;
procedure other() modifies lock, c;
{
  atomic { assume lock == 0; lock := 1; }
  c := 2;
  lock := 0;
}
procedure main() modifies lock, c;
{
  lock := 0;
  atomic { assume lock == 0; lock := 1; }
  havoc lock;
  fork 1 other();
  c := 1;
  assert c == 1;
  lock := 0;
  join 1;
}
