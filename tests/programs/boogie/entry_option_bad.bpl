// expect: false
// args: --entry bad
procedure main() {
  assert true;
}
procedure bad(x: int) {
  assert x > 0;
}
