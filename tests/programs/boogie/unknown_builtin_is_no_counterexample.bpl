// expect: unknown
function {:builtin "an operator of another tool"} f(x: int) returns (int);
procedure main() {
  assert f(1) == 2;
}
