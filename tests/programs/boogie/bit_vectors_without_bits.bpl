// expect: true
procedure main(x: bv0, y: bv0, z: bv8) {
  assert x == y;
  assert x ++ z == z;
  assert z[3:3] == x;
}
