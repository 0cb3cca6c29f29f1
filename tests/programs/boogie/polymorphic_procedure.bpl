// expect: true
procedure swap<T>(a: T, b: T) returns (c: T, d: T)
{
  c, d := b, a;
}
procedure main() {
  var x, y: int;
  var p, q: bool;
  call x, y := swap(1, 2);
  call p, q := swap(true, false);
  assert x == 2 && y == 1 && !p && q;
}
