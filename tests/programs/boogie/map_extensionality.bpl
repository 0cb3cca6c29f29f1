// expect: true
procedure main() {
  var a, b: [int]int;
  var i: int;
  a := b[i := b[i]];
  assert a == b;
}
