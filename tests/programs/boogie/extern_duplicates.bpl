// expect: true
type {:extern} T;
type T;
const {:extern} c: int;
const c: int;
function {:extern} f(x: int): int;
function f(x: int): int { x + 1 }
procedure {:extern} P();
procedure P();
  ensures false;
procedure main() {
  assert f(c) == c + 1;
  call P();
  assert false;
}
