// expect: true
var {:a} x: int;
procedure {:p "text"} main({:b} y: int) returns ({:c} z: int)
  requires {:d} y > 0;
  modifies x;
  ensures {:e 1, 2} z > 0;
{
  start:
  x := {:f} y;
  if {:g} (x > 0) { z := {:h} x; } else { goto {:i} start; }
  while {:j} (*) invariant {:k} z > 0; { havoc {:l} x; z := z + 1; break {:m}; }
  assert {:n} {:o "p"} z > 0;
  return {:q};
}
