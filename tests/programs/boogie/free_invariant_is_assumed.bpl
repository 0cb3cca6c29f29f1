// expect: true
procedure main() {
  var i: int;
  havoc i;
  while (i > 0)
    free invariant i <= 5;
  {
    i := i - 1;
  }
  assert i <= 5;
}
