// expect: true
procedure P() returns (x: int);
  ensures x > 0;
implementation P() returns (x: int) { x := 1; }
implementation P() returns (y: int) { y := 2; }
procedure main() {
  var z: int;
  call z := P();
  assert z == 1 || z == 2;
}
