// expect: unknown
function {:overapproximation "something"} f(x: int) returns (int);
procedure p(x: int)
  requires f(x) == 1;
{
}
procedure main() {
  call p(1);
}
