// expect: true
// A partition of an array.
procedure part(a:[int]int,n:int,p:int) returns (b:[int]int,k:int) requires n>=0; ensures 0<=k&&k<=n; ensures (forall i:int :: 0<=i&&i<k ==> b[i]<p); { var i,t:int; i:=0;k:=0;b:=a; while(i<n) invariant 0<=k&&k<=i&&i<=n; invariant (forall j:int :: 0<=j&&j<k ==> b[j]<p); { if(b[i]<p) { t:=b[k]; b[k]:=b[i]; b[i]:=t; k:=k+1; } i:=i+1; } }
