// expect: false
// may: unknown
type Field a;
procedure main<b>(h: <a>[Field a]a, g: Field b, x: b) {
  var k: <a>[Field a]a;
  k := h[g := x];
  assert (forall<a> f: Field a :: k[f] == h[f]);
}
