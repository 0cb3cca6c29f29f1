// expect: true
// args: --dialect ultimate
procedure main(x: int) {
  assert x / 2 == x div 2;
  assert 7 / 2 == 3;
}
