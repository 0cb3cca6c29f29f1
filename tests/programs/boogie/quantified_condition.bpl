// expect: false
procedure main(a: [int]int) {
  if ((exists i: int :: a[i] == 0)) {
    assert a[0] == 0;
  }
}
