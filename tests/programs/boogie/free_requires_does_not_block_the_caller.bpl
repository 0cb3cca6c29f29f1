// expect: false
// The precondition is not checked, and what it says is not known after the call.
procedure p(x: int)
  free requires x > 0;
{
  assert x > 0;
}
procedure main() {
  call p(-1);
  assert false;
}
