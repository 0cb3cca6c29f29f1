// expect: true
procedure main() {
  assert 1 < 2;
}
procedure never_called(x: int) {
  assert x < 2;
}
