// expect: false
procedure main(x: float24e8) {
  assume x > 0x1.0e0f24e8;
  assert x + 0x1.0e0f24e8 > x;
}
