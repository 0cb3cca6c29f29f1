// expect: true
// engine: auto, trace-abstraction, whale
// McCarthy's function is 91 up to 101: the contract needs both branches of a disjunction.
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
  assume a <= 101;
  call b := mc91(a);
  assert b == 91;
}
