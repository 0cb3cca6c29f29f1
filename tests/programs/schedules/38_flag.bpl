// expect: false(termination)
// property: termination
// Without fairness the first thread may wait for ever.
var f: bool;
procedure two() modifies f; { f := true; }
procedure main() modifies f; { f := false; fork 1 two(); while (!f) { } }
