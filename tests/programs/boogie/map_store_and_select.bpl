// expect: true
procedure main() {
  var m: [int]int;
  var i, j: int;
  m[i] := 1;
  assume i != j;
  m[j] := 2;
  assert m[i] == 1;
  assert m[i := 5][j := 6][i] == 5;
}
