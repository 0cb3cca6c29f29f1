// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: kojak, impact, predicate-abstraction, bmc
// Contract: m >= 0 && n >= 0 ==> result >= n + 1; the inner result is the guard of the outer call.
procedure ack(m: int, n: int) returns (r: int)
{
  var t: int;
  if (m == 0) {
    r := n + 1;
  } else if (n == 0) {
    call r := ack(m - 1, 1);
  } else {
    call t := ack(m, n - 1);
    call r := ack(m - 1, t);
  }
}
procedure main() {
  var m, n, r: int;
  assume m >= 0 && n >= 0;
  call r := ack(m, n);
  assert r >= n + 1;
}
