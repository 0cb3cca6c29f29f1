// expect: true
procedure p(a: [int]int, k: int)
  requires (forall i: int :: i != k ==> a[i] > 0);
{
  assert a[k + 1] > 0;
}
procedure main(a: [int]int) {
  assume (forall i: int :: a[i] > 0);
  call p(a[3 := 0], 3);
}
