// expect: false
// may: unknown
procedure main() {
  assert (forall x: int :: x > 0);
}
