// expect: false
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// The violation lies a million iterations deep: acceleration only.
procedure main() {
  var x: int;
  x := 0;
  while (x < 1000000) { x := x + 1; }
  assert x != 1000000;
}
