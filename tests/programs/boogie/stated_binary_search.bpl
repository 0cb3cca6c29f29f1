// expect: true
// What the loop does not change (the array is sorted) is known in it, as in Boogie.
procedure search(a: [int]int, n: int, k: int) returns (found: bool)
  requires n >= 0;
  requires (forall i, j: int :: 0 <= i && i < j && j < n ==> a[i] <= a[j]);
  ensures !found ==> (forall i: int :: 0 <= i && i < n ==> a[i] != k);
{
  var lo, hi, mid: int;
  lo := 0;
  hi := n;
  found := false;
  while (lo < hi)
    invariant 0 <= lo && lo <= hi && hi <= n;
    invariant (forall i: int :: 0 <= i && i < lo ==> a[i] < k);
    invariant (forall i: int :: hi <= i && i < n ==> a[i] > k);
    invariant !found;
  {
    mid := (lo + hi) div 2;
    if (a[mid] == k) { found := true; return; }
    if (a[mid] < k) { lo := mid + 1; } else { hi := mid; }
  }
}
