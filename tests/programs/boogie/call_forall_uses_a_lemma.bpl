// expect: true
function f(x: int) returns (int) { x + 1 }
procedure lemma(x: int)
  requires x > 0;
  ensures f(x) > 1;
{
}
procedure main() {
  var y: int;
  assume y > 3;
  call forall lemma(*);
  assert f(y) > 1;
}
