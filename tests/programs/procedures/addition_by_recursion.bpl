// expect: true
// engine: auto, trace-abstraction, whale
// Addition by recursion in both directions.
procedure add(m: int, n: int) returns (r: int)
{
  if (n == 0) {
    r := m;
  } else if (n > 0) {
    call r := add(m + 1, n - 1);
  } else {
    call r := add(m - 1, n + 1);
  }
}
procedure main() {
  var m, n, r: int;
  call r := add(m, n);
  assert r == m + n;
}
