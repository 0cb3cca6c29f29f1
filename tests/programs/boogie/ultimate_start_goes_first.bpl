// expect: true
procedure ULTIMATE.start() {
  assert true;
}
procedure main() {
  assert false;
}
