// expect: true
procedure main() {
  assert 7 / 2 == 3.5;
  assert 7 div 2 == 3;
  assert 1 / 3 * 3.0 == 1.0;
  assert 1.0 / 2 == 0.5;
}
