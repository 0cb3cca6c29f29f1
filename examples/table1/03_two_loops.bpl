// expect: true
// The first loop moves tokens between two heaps, the second takes them away one by one.
// Invariants: t == x + y, then t == x + y + z, with no heap below zero.
procedure main() {
  var t, x, y, z: int;
  assume x >= 0 && y >= 0;
  t := x + y;
  while (*) {
    if (*) {
      if (x > 0) { x, y := x - 1, y + 1; }
    } else {
      if (y > 0) { x, y := x + 1, y - 1; }
    }
  }
  z := 0;
  while (x + y > 0) {
    if (x > 0) { x := x - 1; } else { y := y - 1; }
    z := z + 1;
  }
  assert z == t;
}
