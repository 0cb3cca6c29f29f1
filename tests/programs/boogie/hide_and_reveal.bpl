// expect: true
function f(x: int): int uses { axiom (forall x: int :: f(x) == x + 1); }
const c: int uses { axiom c == 3; }
revealed function g(x: int): int { x }
procedure main() {
  push;
  hide *;
  reveal f;
  assert f(c) == 4;
  pop;
  assert g(1) == 1;
}
