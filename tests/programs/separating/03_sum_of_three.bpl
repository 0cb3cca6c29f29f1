// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// Invariant: n == x + y + z, over four variables. Eight paths through the body.
procedure main() {
  var n, x, y, z: int;
  n := x;
  y, z := 0, 0;
  while (x != 0) {
    if (*) { x, y := x + 1, y - 1; }
    if (*) { y, z := y + 1, z - 1; }
    if (*) { z, x := z + 1, x - 1; }
  }
  assert n == y + z;
}
