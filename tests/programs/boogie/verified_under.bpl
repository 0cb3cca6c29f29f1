// expect: true
// Where A holds, P is verified elsewhere.
procedure main(P: bool, A: bool)
  requires !A ==> P;
{
  assert {:verified_under A} P;
  assert {:verified_under true} false;
}
