// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: kojak, impact, predicate-abstraction, bmc
// Two contracts at once: even: r ==> n mod 2 == 0, odd: r ==> n mod 2 == 1.
procedure even(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := odd(n - 1); }
}
procedure odd(n: int) returns (r: bool)
{
  if (n == 0) { r := false; } else { call r := even(n - 1); }
}
procedure main() {
  var n: int;
  var r: bool;
  assume n >= 0;
  call r := even(n);
  assert r ==> n mod 2 == 0;
}
