// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: trace-abstraction, kojak, impact, predicate-abstraction, bmc
// Invariant of both loops: x == y. Interpolants x == k && y == k of single unrollings never end.
procedure main() {
  var x, y: int;
  x, y := 0, 0;
  while (*) { x, y := x + 1, y + 1; }
  while (x != 0) { x, y := x - 1, y - 1; }
  assert y == 0;
}
