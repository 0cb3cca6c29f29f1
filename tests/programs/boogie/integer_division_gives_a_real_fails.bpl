// expect: false
procedure main(x: int) {
  assert x / 2 == real(x div 2);
}
