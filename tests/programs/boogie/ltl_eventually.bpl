// expect: true
// may: unknown
// property: ltl
// #LTLProperty: <>AP(x == 0)
var x: int;
procedure main()
  modifies x;
{
  x := 3;
  while (x > 0) { x := x - 1; }
}
