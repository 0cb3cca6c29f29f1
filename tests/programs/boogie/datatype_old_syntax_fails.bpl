// expect: false
type {:datatype} Colour;
function {:constructor} Red(): Colour;
function {:constructor} Green(shade: int): Colour;
procedure main(c: Colour, d: Colour) {
  assert is#Green(c) && is#Green(d) ==> c == d;
}
