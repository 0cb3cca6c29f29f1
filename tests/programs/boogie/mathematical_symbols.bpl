// expect: true
procedure main() {
  var x: int;
  assume x ≥ 0 ∧ x ≠ 0;
  assert ¬(x ≤ 0) ∨ false;
  assert (∀ y: int • y > x ⇒ y > 0);
}
