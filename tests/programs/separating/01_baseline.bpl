// expect: true
// The guard bounds x from below by y, which is at least z. Invariant: y >= z.
procedure main() {
  var x, y, z: int;
  assume y >= z;
  while (x < y) { x := x + 1; }
  assert x >= z;
}
