// expect: true
// engine: auto, trace-abstraction, whale, kojak, impact, predicate-abstraction
// The example of seed 001: a nested interpolant speaks of the callee's own variables only.
procedure double(x: int) returns (res: int)
{
  res := x + x;
}
procedure main() {
  var x, y: int;
  call y := double(3 * x);
  assert y == 6 * x;
}
