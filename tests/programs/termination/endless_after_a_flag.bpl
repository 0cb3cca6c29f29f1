// expect: false
// property: termination
var FLAG: int;
procedure main() modifies FLAG; {
  FLAG := 0;
  FLAG := 1;
  while (true) { }
}
