// expect: true
// property: termination
// The recursion is bounded by a global that every call raises and no call lowers.
var g: int;
procedure f() modifies g; { if (g < 10) { g := g + 1; call f(); call f(); } }
procedure main() modifies g; { g := 0; call f(); }
