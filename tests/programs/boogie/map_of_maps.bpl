// expect: true
procedure main() {
  var m: [int][int]int;
  m[0][0] := 1;
  m[0][1] := 2;
  m[1][0] := 3;
  assert m[0][0] + m[0][1] + m[1][0] == 6;
}
