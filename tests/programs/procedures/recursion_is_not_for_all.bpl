// expect: unknown
// engine: kojak, impact, predicate-abstraction
// These engines know no recursion, and say so.
procedure count(n: int) returns (r: int)
{
  r := 0;
  if (n > 0) {
    call r := count(n - 1);
    r := r + 1;
  }
}
procedure main() {
  var r: int;
  call r := count(5);
  assert r == 5;
}
