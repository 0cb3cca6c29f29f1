// expect: false
// may: unknown
// The assertion that passed in the first iterations is not evaluated.
procedure main() {
  var a: [int]int, i: int;
  i := 0;
  while (i < 3)
    invariant (forall j: int :: 0 <= j && j < i ==> a[j] == 1);
  {
    a[i] := i + 1;
    i := i + 1;
  }
}
