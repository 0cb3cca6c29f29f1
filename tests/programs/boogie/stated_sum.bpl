// expect: true
// A sum that axioms define.
function sum(a: [int]int, n: int): int;
axiom (forall a: [int]int :: {sum(a, 0)} sum(a, 0) == 0);
axiom (forall a: [int]int, n: int :: {sum(a, n)} n > 0 ==> sum(a, n) == sum(a, n - 1) + a[n - 1]);
procedure total(a: [int]int, n: int) returns (s: int)
  requires n >= 0;
  ensures s == sum(a, n);
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant s == sum(a, i);
  {
    i := i + 1;
    s := s + a[i - 1];
  }
}
