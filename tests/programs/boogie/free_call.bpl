// expect: false
procedure p(x: int) requires x > 0; { }
procedure main() {
  free call p(-1);
  assert false;
}
