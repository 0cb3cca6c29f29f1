// expect: true
// property: no-deadlock
// A thread waits for ever, but the program ends without it.
procedure itself() { join 1; }
procedure main() { fork 1 itself(); }
