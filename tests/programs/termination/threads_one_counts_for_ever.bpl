// expect: false
// property: termination
procedure count() { var l: int; l := 0; while (true) { l := l + 1; } }
procedure main() {
  var y: int;
  fork 1 count();
  y := 1;
}
