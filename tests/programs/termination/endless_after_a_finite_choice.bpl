// expect: false
// property: termination
// Every run that leaves the first loop stays in the second; staying in the first for ever is another endless run.
procedure main() {
  var x: int;
  x := 1;
  while (*) { }
  x := 0;
  x := 1;
  while (true) { }
}
