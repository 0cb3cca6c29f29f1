// expect: true
// property: termination
procedure main() { var a: [int]int; var i, j: int; assume i != j; while (a[i] > 0) { a[i] := a[i] - 1; a[j] := a[j] + 1; } }
