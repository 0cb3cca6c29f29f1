// expect: true
procedure main(x: real) {
  assert 2.0 ** 3.0 == 8.0;
  assert x ** 2.0 >= 0.0;
}
