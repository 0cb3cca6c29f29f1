// expect: false
// may: unknown
// The parameter T hides the type T, of which there is only one value.
type T;
axiom (forall x, y: T :: x == y);
procedure main<T>(a: T, b: T) {
  assert a == b;
}
