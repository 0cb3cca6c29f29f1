// expect: false
// property: termination
// i may be j.
procedure main() { var a: [int]int; var i, j: int; while (a[i] > 0) { a[i] := a[i] - 1; a[j] := a[j] + 1; } }
