// expect: true
type {:datatype} Pair a b;
function {:constructor} MkPair<a, b>(first: a, second: b): Pair a b;
type {:datatype} Colour;
function {:constructor} Red(): Colour;
function {:constructor} Green(shade: int): Colour;
procedure main(p: Pair int bool, c: Colour) {
  assert Red() != Green(0);
  assert Green(1) != Green(2);
  assert is#Red(c) || is#Green(c);
  assert is#Green(c) ==> c == Green(shade#Green(c));
  assert p == MkPair(first#MkPair(p), second#MkPair(p));
}
