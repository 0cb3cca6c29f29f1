// expect: true
// engine: auto, trace-abstraction, whale
// Mutual recursion: two contracts at once, each about a remainder.
procedure even(n: int) returns (r: bool)
{
  if (n == 0) {
    r := true;
  } else {
    call r := odd(n - 1);
  }
}
procedure odd(n: int) returns (r: bool)
{
  if (n == 0) {
    r := false;
  } else {
    call r := even(n - 1);
  }
}
procedure main() {
  var n: int, r: bool;
  assume n >= 0;
  call r := even(n);
  assert r ==> n mod 2 == 0;
}
