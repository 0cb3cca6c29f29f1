// expect: true
// property: LTL(G ("busy" ==> F "!busy"))
// The recursive procedure ends, as n falls.
var busy: bool;
procedure work(n: int)
{
  if (n > 0) { call work(n - 1); }
}
procedure main() modifies busy;
{
  while (true) {
    busy := true;
    call work(10);
    busy := false;
  }
}
