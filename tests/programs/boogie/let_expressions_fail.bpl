// expect: false
procedure main(a: int) {
  assert (var x := a; x * 2) > a;
}
