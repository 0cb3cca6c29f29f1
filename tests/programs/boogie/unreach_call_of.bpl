// expect: false(unreach-call)
// property: unreach-call:P
// The call of P is the error; the assertion is not asked about.
procedure P(n: int) requires n > 0;
{ }
procedure main(n: int)
{
  assert n != 3;
  if (n > 2) { call P(n); }
}
