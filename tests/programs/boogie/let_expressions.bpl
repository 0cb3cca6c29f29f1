// expect: true
function double(x: int): int { (var y := x + x; y) }
procedure main(a: int, b: int) {
  assert (var x, y := a, b; x + y) == a + b;
  assert (var x := a; (var x := x + 1; x)) == a + 1;
  assert double(a) == 2 * a;
  assert (forall i: int :: (var j := i + 1; j > i));
}
