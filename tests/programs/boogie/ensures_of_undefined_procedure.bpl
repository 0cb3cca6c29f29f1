// expect: true
procedure choose(low: int, high: int) returns (r: int);
  requires low <= high;
  ensures low <= r && r <= high;
procedure main() {
  var r: int;
  call r := choose(3, 5);
  assert 3 <= r && r <= 5;
}
