// expect: true
// property: termination
// Nothing is executed for ever where all threads wait; the answer says that this is assumed not to happen.
procedure itself() { join 1; }
procedure main() { fork 1 itself(); join 1; }
