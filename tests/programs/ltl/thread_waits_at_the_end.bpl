// expect: unknown
// may: false
// property: LTL(F "x == 1")
// Both threads may wait for ever.
var l, x: int;
procedure T() modifies l, x; { assume l == 2; x := 1; }
procedure main() modifies l, x; { havoc l; x := 0; fork 1 T(); join 1; }
