// expect: true
// property: termination
// The loop ends because the result of dec is smaller than its argument: a contract of a recursive procedure.
procedure dec(x: int) returns (r: int) {
  if (x > 5) { call r := dec(x - 1); } else { r := x - 1; }
}
procedure main() { var x: int; while (x > 0) { call x := dec(x); } }
