// expect: false
procedure main(a: [int]int) {
  assume (exists i: int :: i > 3 && a[i] == 5);
  assert a[4] == 5;
}
