// expect: false
// engine: auto, unwinding, bmc
// The product of 122-bit words wraps around for x = 2^61 - 1.
function {:bvbuiltin "zero_extend 60"} zx(bv62) returns (bv122);
function {:bvbuiltin "bvmul"} mul(bv122, bv122) returns (bv122);
function {:bvbuiltin "bvslt"} slt(bv122, bv122) returns (bool);
function {:bvbuiltin "bvsle"} sle62(bv62, bv62) returns (bool);
procedure main() {
var x: bv62; var y, z: bv122;
havoc x; assume sle62(1152921504606846976bv62, x);
y := zx(x);
z := mul(y, y);
assert slt(y, z);
}
