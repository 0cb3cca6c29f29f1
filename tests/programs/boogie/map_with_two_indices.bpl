// expect: true
procedure main() {
  var m: [int, bool]int;
  m[1, true] := 10;
  m[1, false] := 20;
  m[2, true] := 30;
  assert m[1, true] == 10 && m[1, false] == 20;
  assert m[1, true := 11][1, false] == 20;
}
