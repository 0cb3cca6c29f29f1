// expect: false
function {:builtin "MapConst"} all(int): [int]int;

procedure p(i: int)
{
  var m: [int]int;
  m := all(7);
  m[2] := 8;
  assert m[i] == 7;
}
