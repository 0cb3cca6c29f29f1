// expect: true
// engine: auto, trace-abstraction, whale
// fib(n) >= n - 1, which needs fib(n) >= 1 for n >= 1 as well.
procedure fib(n: int) returns (r: int)
{
  var a, b: int;
  if (n < 1) {
    r := 0;
  } else if (n == 1) {
    r := 1;
  } else {
    call a := fib(n - 1);
    call b := fib(n - 2);
    r := a + b;
  }
}
procedure main() {
  var n, r: int;
  call r := fib(n);
  assert r >= n - 1;
}
