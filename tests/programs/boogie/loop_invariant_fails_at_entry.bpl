// expect: false
procedure main() {
  var i: int;
  i := 0;
  while (i < 3)
    invariant i > 0;
  {
    i := i + 1;
  }
}
