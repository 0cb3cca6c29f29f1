// expect: true
// property: LTL(F "i == 3" && G "i <= 3")
// Propositions may speak about variables of the entry procedure.
procedure main()
{
  var i: int;
  i := 0;
  while (i < 3) { i := i + 1; }
}
