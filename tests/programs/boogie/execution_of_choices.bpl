// expect: true
// engine: execution
// A few choices of control are all executed; data that nobody looks at may be anything.
procedure main() {
  var i, x, y: int;
  var a: [int]int;
  i := 0;
  while (i < 1000) { a[i] := 2 * i; i := i + 1; }
  if (*) { x := 3; } else { x := 4; }
  havoc y;
  if (y > x) { x := x + 1; }
  assert x >= 3 && x <= 5;
  assert a[x] == 2 * x;
}
