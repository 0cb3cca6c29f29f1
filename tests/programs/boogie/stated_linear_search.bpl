// expect: true
// Linear search, with the invariants of a textbook.
procedure find(a:[int]int,n:int,k:int) returns (r:int) requires n>=0; ensures 0<=r ==> r<n && a[r]==k; ensures r<0 ==> (forall j:int :: 0<=j && j<n ==> a[j]!=k); { r:=0; while(r<n) invariant 0<=r&&r<=n; invariant (forall j:int :: 0<=j&&j<r ==> a[j]!=k); { if(a[r]==k) { return; } r:=r+1; } r:=-1; }
