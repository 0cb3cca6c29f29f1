// expect: true
// property: termination
// The inner call returns at least its argument minus 10, so the outer argument is larger than n.
procedure f(n: int) returns (r: int) {
  var t: int;
  if (n > 100) { r := n - 10; } else { call t := f(n + 11); call r := f(t); }
}
procedure main() { var n, r: int; call r := f(n); }
