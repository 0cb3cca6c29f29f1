// expect: true
// property: termination
procedure main() {
  var x: int;
  x := 1;
  return;
}
