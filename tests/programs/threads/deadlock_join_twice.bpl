// expect: false(no-deadlock)
// property: no-deadlock
// There is one thread to join, and it is joined once.
procedure nothing() { }
procedure main() { fork 1 nothing(); join 1; join 1; }
