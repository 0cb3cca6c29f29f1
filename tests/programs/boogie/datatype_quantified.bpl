// expect: true
datatype Key { Number(n: int), Nothing() }
function f(k: Key): int;
axiom (forall k: Key :: f(k) == if k is Number then k->n else -1);
procedure main(k: Key) {
  assert f(Nothing()) == -1;
  assert f(Number(4)) == 4;
  assert f(k) != -1 ==> k is Number;
}
