// expect: false(no-deadlock)
// property: no-deadlock
// The flag may be cleared before main looks at it.
var flag: bool;
procedure set() modifies flag; { flag := true; flag := false; }
procedure main() modifies flag;
{
  flag := false;
  fork 1 set();
  atomic { assume flag; }
  join 1;
}
