// expect: true
type Field a;
procedure same<a, b>(x: Field a, y: Field b) returns (r: bool)
{
  r := x == y;
}
procedure main(f: Field int, g: Field bool, h: Field int) {
  var r: bool;
  call r := same(f, g);
  assert !r;
  call r := same(f, h);
  assert r <==> f == h;
}
