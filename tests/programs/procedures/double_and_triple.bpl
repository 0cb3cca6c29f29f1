// expect: true
// engine: auto, trace-abstraction, whale
// Two recursive functions and a fact about their results together: double(n) = 2n, triple(n) = 3n.
procedure double(n: int) returns (r: int)
{
  if (n <= 0) {
    r := 0;
  } else {
    call r := double(n - 1);
    r := r + 2;
  }
}
procedure triple(n: int) returns (r: int)
{
  if (n <= 0) {
    r := 0;
  } else {
    call r := triple(n - 1);
    r := r + 3;
  }
}
procedure main() {
  var n, d, t: int;
  assume n >= 0;
  call d := double(n);
  call t := triple(n);
  assert t - d == n;
}
