// expect: true
const limit: int;
axiom limit > 10;
procedure main() {
  var x: int;
  assume x >= limit;
  assert x > 10;
}
