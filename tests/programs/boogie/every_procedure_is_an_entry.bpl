// expect: false
// Without `main`, every procedure is checked, the last one too.
procedure fine() {
  assert 1 < 2;
}
procedure broken(x: int) {
  assert x < 2;
}
