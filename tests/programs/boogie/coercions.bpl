// expect: true
function f<a>(x: a): int;
procedure main(x: int, b: bool) {
  assert x : int == x;
  assert f(x : int) == f(x);
  assert (b : bool) || !b : bool;
}
