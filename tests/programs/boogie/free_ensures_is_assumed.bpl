// expect: true
procedure mystery() returns (r: int)
  free ensures r == 42;
{
  havoc r;
}
procedure main() {
  var r: int;
  call r := mystery();
  assert r == 42;
}
