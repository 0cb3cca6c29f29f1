// expect: false
// engine: auto, unwinding, bmc
// The execution needs a value of x that the assumption allows.
procedure main() {
var x: int;
havoc x; assume 5 <= x && x <= 10;
assert false;
}
