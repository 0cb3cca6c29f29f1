// expect: true
function max(x: int, y: int) returns (int) { if x < y then y else x }
function max3(x: int, y: int, z: int): int { max(x, max(y, z)) }
procedure main() {
  var a, b, c: int;
  assert max3(a, b, c) >= b;
}
