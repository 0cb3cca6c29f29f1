// expect: false
procedure main(P: bool, A: bool)
  requires A ==> P;
{
  assert {:verified_under A} P;
}
