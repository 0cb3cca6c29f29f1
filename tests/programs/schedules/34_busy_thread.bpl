// expect: false(unreach-call)
// A thread that is busy with itself does not keep the other from failing.
procedure one() { var l: int; l := 0; while (true) { l := l + 1; } }
procedure two() { assert false; }
procedure main() { fork 1 one(); fork 2 two(); }
