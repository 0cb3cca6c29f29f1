// expect: true
procedure main() {
  var m: [int]int;
  var k: int;
  m := (lambda i: int :: i + k);
  assert m[3] == 3 + k;
}
