// expect: false
// engine: auto, trace-abstraction, whale
// The assertion fails inside a call inside a call: pending calls in the execution.
var g: int;
procedure inner(n: int)
modifies g;
{
  g := g + n;
  assert g != 7;
}
procedure outer(n: int)
modifies g;
{
  if (n > 0) {
    call inner(n);
    call outer(n - 1);
  }
}
procedure main()
modifies g;
{
  g := 1;
  call outer(3);
}
