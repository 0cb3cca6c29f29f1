// expect: true
function next(x: int) returns (int);
axiom (forall x: int :: {next(x)} next(x) > x);
procedure main() {
  var i: int;
  i := 5;
  i := next(i);
  assert i > 5;
}
