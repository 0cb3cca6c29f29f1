// expect: true
procedure main() {
  var p, q, r: bool;
  assert p && q || r <==> (p && q) || r;
  assert (p ==> q ==> r) <==> (p ==> (q ==> r));
  assert (r <== q <== p) <==> ((r <== q) <== p);
  assert !p == q <==> ((!p) == q);
  assert 2 + 3 * 4 - 1 - 1 == 12;
  assert -2 * 3 == -6;
  assert (if p then 1 else 2) > 0;
}
