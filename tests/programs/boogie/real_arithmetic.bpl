// expect: true
procedure main() {
  var x: real;
  x := 0.1 + 0.2;
  assert x == 0.3;
  assert 1.0 / 4.0 == 0.25;
  assert 2.5e1 == 25.0;
  assert int(2.9) == 2 && int(-0.5) == -1;
  assert real(3) / 2.0 == 1.5;
}
