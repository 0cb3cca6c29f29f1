// expect: unknown
// property: no-overflow
// Assertions say nothing about a property of C programs.
procedure main(n: int)
{
  assert n == n;
}
