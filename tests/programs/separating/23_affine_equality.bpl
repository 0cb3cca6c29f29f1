// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: kojak, impact, predicate-abstraction
// Invariant: x == i + j. Interpolants follow the bound through 50 unrollings.
procedure main() {
  var i, j, x: int;
  i := 0;
  x := j;
  while (i < 50) { i, x := i + 1, x + 1; }
  if (j == 0) { assert x >= 50; }
}
