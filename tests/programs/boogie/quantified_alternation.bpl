// expect: true
// may: unknown
// timeout: 5s
procedure main(n: int) {
  assert (forall x: int :: (exists y: int :: y > x));
}
