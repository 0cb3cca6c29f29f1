// expect: true
// Factorials by axioms.
function fact(n:int):int; axiom fact(0)==1; axiom (forall n:int :: {fact(n)} n>0 ==> fact(n)==n*fact(n-1));
procedure f(n:int) returns (r:int) requires n>=0; ensures r==fact(n); { var i:int; r:=1; i:=0; while(i<n) invariant 0<=i&&i<=n&&r==fact(i); { i:=i+1; r:=r*i; } }
