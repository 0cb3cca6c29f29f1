// expect: false
// Two threads want to join the same third one: only one of them gets it, here either.
var a: int;
procedure W() { }
procedure J(me: int) modifies a; { join 9; a := me; }
procedure ULTIMATE.start()
  modifies a;
{
  a := 0;
  fork 9 W();
  fork 1 J(1);
  fork 2 J(2);
  join 2;
  assert a != 2;
}
