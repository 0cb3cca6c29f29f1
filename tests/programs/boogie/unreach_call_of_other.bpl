// expect: true
// property: unreach-call:P
// P is not called. An assertion that fails ends the execution, and is not asked about.
procedure P();
procedure Q() { assert false; }
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < 5) { i := i + 1; }
  if (i != 5) { call P(); }
  call Q();
  call P();
}
