// expect: unknown
function {:smtdefined "(no such operator x)"} f(x: int) returns (z: int);
procedure main() {
  assert f(3) == 5;
}
