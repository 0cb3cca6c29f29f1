// expect: true
// One loop without branches; the invariant y >= z is in the assumption.
procedure main() {
  var x, y, z: int;
  assume y >= z;
  while (x < y) {
    x := x + 1;
  }
  assert x >= z;
}
