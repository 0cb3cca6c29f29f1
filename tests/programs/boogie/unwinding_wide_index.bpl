// expect: false
// engine: auto, unwinding, bmc
// x = 3 is one of very many indices.
procedure main() {
var x, y: int; var m: [int]int;
havoc x; havoc y; 
assume x <= 100000000000000000000000000000000000000; assume -100000000000000000000000000000000000000 <= x;
m[3] := 1; m[x] := 7;
assert m[3] == 1;
}
