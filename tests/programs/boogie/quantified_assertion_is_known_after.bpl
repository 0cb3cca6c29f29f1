// expect: true
procedure main(a: [int]int) {
  assume (forall i: int :: a[i] >= 0);
  assert (forall j: int :: a[j + 1] >= 0);
  assert a[7] >= 0;
}
