// expect: false
procedure main() returns (r: int)
  ensures r > 0;
{
  if (*) { r := 1; return; }
  r := 0;
}
