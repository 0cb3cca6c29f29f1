// expect: true
// The loop stops at y, which is at least z.
procedure main() {
  var x, y, z: int;
  assume y >= z;
  while (x < y) {
    x := x + 1;
  }
  assert x >= z;
}
