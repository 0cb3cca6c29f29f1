// expect: true
// An array reversed in place, compared with what it was.
var a: [int]int;
procedure reverse(n: int)
  modifies a;
  requires n >= 0;
  ensures (forall i: int :: 0 <= i && i < n ==> a[i] == old(a)[n - 1 - i]);
{
  var l, r, t: int;
  l := 0;
  r := n - 1;
  while (l < r)
    invariant 0 <= l && r == n - 1 - l && l <= r + 1;
    invariant (forall i: int :: 0 <= i && i < l ==> a[i] == old(a)[n - 1 - i]);
    invariant (forall i: int :: r < i && i < n ==> a[i] == old(a)[n - 1 - i]);
    invariant (forall i: int :: l <= i && i <= r ==> a[i] == old(a)[i]);
  {
    t := a[l];
    a[l] := a[r];
    a[r] := t;
    l := l + 1;
    r := r - 1;
  }
}
