// expect: true
// property: termination
procedure fib(n: int) returns (r: int) {
  var a, b: int;
  if (n < 2) { r := n; } else { call a := fib(n - 1); call b := fib(n - 2); r := a + b; }
}
procedure main() { var n, r: int; call r := fib(n); }
