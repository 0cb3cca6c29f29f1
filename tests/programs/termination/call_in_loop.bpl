// expect: true
// property: termination
procedure dec(a: int) returns (r: int) { r := a - 1; }
procedure main() { var x, y: int; while (x > 0 && y > 0) { if (*) { call x := dec(x); } else { x := x + 1; call y := dec(y); } } }
