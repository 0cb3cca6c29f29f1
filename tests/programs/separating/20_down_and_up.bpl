// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: kojak, impact, predicate-abstraction, bmc
// Contract: g == old(g). Impossible to say without old variables.
var g: int;
procedure down(n: int)
  modifies g;
{
  if (n > 0) {
    g := g + 1;
    call down(n - 1);
    g := g - 1;
  }
}
procedure main()
  modifies g;
{
  var h, n: int;
  h := g;
  call down(n);
  assert g == h;
}
