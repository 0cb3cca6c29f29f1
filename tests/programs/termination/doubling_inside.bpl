// expect: true
// property: termination
// A rank for the inner loop that speaks about t would hold in the first turn of the outer loop only.
procedure main() {
  var x, y, t: int;
  x := t;
  while (x >= 0) {
    y := 1;
    while (y < x) { y := 2 * y; }
    x := x - 1;
  }
}
