// expect: true
// engine: auto, trace-abstraction, whale
// Euclid by subtraction: the result is positive and no larger than either argument.
procedure gcd(a: int, b: int) returns (r: int)
{
  if (a == b) {
    r := a;
  } else if (a > b) {
    call r := gcd(a - b, b);
  } else {
    call r := gcd(a, b - a);
  }
}
procedure main() {
  var a, b, r: int;
  assume a > 0 && b > 0;
  call r := gcd(a, b);
  assert 1 <= r && r <= a && r <= b;
}
