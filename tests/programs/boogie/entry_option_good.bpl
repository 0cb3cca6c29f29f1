// expect: true
// args: --entry good
procedure main() {
  assert false;
}
procedure good(x: int) requires x > 0; {
  assert x != 0;
}
