// expect: false
// engine: auto, trace-abstraction, whale
// One too far: 102 gives 92.
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
  assume a <= 102;
  call b := mc91(a);
  assert b == 91;
}
