// expect: false
procedure main(a: [int]int, n: int) {
  assert (forall i: int :: 0 <= i && i < n ==> a[i] >= 0);
}
