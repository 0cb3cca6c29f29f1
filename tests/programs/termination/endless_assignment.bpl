// expect: false
// property: termination
// The state does not change after the first turn.
procedure main() {
  var x: int;
  while (true) { x := 0; }
}
