// expect: false
procedure p(a: [int]int)
  requires (forall i: int :: a[i] > 0);
{
}
procedure main(a: [int]int) {
  call p(a[3 := 0]);
}
