// expect: true
procedure sum(n: int) returns (s: int)
{
  if (n <= 0) { s := 0; }
  else {
    call s := sum(n - 1);
    s := s + n;
  }
}
procedure main() {
  var s: int;
  call s := sum(3);
  assert s == 6;
}
