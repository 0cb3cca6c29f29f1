// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: kojak, impact, predicate-abstraction, bmc
// Contract: result >= 91. Unrolling the recursion diverges.
procedure mc91(n: int) returns (r: int)
{
  if (n > 100) {
    r := n - 10;
  } else {
    call r := mc91(n + 11);
    call r := mc91(r);
  }
}
procedure main() {
  var a, b: int;
  call b := mc91(a);
  assert b >= 91;
}
