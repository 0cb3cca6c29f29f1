// expect: false
procedure main() {
  assert (forall x: int :: x > 0);
}
