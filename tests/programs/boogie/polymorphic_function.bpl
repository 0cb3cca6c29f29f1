// expect: true
function pick<T>(c: bool, a: T, b: T) returns (T) { if c then a else b }
procedure main() {
  var x: int;
  var p: bool;
  x := pick(true, 1, 2);
  p := pick(false, true, false);
  assert x == 1 && !p;
}
