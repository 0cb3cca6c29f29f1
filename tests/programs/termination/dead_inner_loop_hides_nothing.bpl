// expect: false
// property: termination
procedure main() { var i: int; i := 0; while (true) { if (false) { while (i != 0) { } } i := i + 1; } }
