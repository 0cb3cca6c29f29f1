// expect: true
// McCarthy's function: 91 for every argument up to 101.
procedure mc91(x: int) returns (r: int) {
  var t: int;
  if (x > 100) {
    r := x - 10;
  } else {
    call t := mc91(x + 11);
    call r := mc91(t);
  }
}
procedure main() {
  var a, b: int;
  call b := mc91(a);
  assert b >= 91;
  assert a <= 101 ==> b == 91;
}
