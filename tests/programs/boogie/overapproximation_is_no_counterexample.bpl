// expect: unknown
function {:overapproximation "bitwise and"} and(x: int, y: int) returns (int);
procedure main() {
  var z: int;
  z := and(1, 2);
  assert z == 0;
}
