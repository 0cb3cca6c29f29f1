// expect: true
// The maximum of an array.
procedure max(a:[int]int,n:int) returns (m:int) requires n>0; ensures (forall j:int :: 0<=j&&j<n ==> a[j]<=m); { var i:int; m:=a[0]; i:=1; while(i<n) invariant 1<=i&&i<=n; invariant (forall j:int :: 0<=j&&j<i ==> a[j]<=m); { if(a[i]>m) { m:=a[i]; } i:=i+1; } }
