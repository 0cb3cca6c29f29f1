// expect: true
type Pair = { first: int, second: bool };
procedure flip(p: Pair) returns (q: Pair)
{
  q := { first: -p!first, second: !p!second };
}
procedure main() {
  var p: Pair;
  var m: [Pair]int;
  p!first := 4;
  p!second := true;
  m[p] := 9;
  call p := flip(p);
  assert p!first == -4 && !p!second;
  assert m[{ first: 4, second: true }] == 9;
}
