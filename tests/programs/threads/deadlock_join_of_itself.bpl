// expect: false(no-deadlock)
// property: no-deadlock
// A thread waits for its own end, and main for it.
procedure itself() { join 1; }
procedure main() { fork 1 itself(); join 1; }
