// expect: false
procedure lemma(x: int)
  ensures x > 0;
{
}
procedure main() {
  var y: int;
  call forall lemma(*);
  assert y > 0;
}
