// expect: false
function f(x: int) returns (int);
procedure main() {
  assert f(1) == f(1);
  assert f(1) == f(2);
}
