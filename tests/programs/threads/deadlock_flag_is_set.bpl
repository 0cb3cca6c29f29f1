// expect: true
// property: no-deadlock
// Whoever waits for the flag is woken, whatever the order.
var flag: bool;
procedure set() modifies flag; { flag := true; }
procedure main() modifies flag;
{
  flag := false;
  fork 1 set();
  atomic { assume flag; }
  join 1;
}
