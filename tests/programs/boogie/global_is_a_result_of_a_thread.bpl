// expect: false(unreach-call)
// may: unknown
// What a call returns into a global variable is seen by other threads.
var g: int;
var h: int;
procedure f(n: int) returns (r: int) modifies h; { if (n > 0) { call r := f(n - 1); } r := 5; }
procedure T() modifies g, h; { call g := f(3); }
procedure main() modifies g, h; { g := 0; fork 1 T(); assert g == 0; }
