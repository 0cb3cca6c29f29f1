// expect: true
procedure main() {
  var x, y: int;
  if (x < 0) { y := -1; }
  else if (x == 0) { y := 0; }
  else if (x < 10) { y := 1; }
  else { y := 2; }
  assert y >= 0 ==> x >= 0;
  assert y == 2 <==> x >= 10;
}
