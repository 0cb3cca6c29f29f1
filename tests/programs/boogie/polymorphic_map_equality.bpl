// expect: false
// may: unknown
// Maps that agree at one type may differ at others.
type Field a;
procedure main(h: <a>[Field a]a, k: <a>[Field a]a, f: Field int) {
  assume (forall g: Field int :: h[g] == k[g]);
  assert h[f] == k[f];
  assert h == k;
}
