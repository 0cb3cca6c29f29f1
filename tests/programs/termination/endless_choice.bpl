// expect: false
// property: termination
procedure main() {
  var r: int;
  while (true) { if (*) { r := 1; } else { r := 0; } }
}
