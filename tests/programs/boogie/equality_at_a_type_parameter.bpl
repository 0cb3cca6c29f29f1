// expect: false
// The parameter may be int.
procedure main<a>(x: a, y: int) {
  assert x != y;
}
