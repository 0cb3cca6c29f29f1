// expect: true
// property: ltl
//#LTLProperty: [](AP(x == 1) ==> <>AP(x == 0))
var x: int;
procedure main() modifies x;
{
  while (true) { x := 1; x := 0; }
}
