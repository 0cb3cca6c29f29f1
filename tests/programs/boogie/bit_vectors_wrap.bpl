// expect: false
function {:bvbuiltin "bvadd"} add8(bv8, bv8) returns (bv8);
function {:bvbuiltin "bvugt"} gt8(bv8, bv8) returns (bool);
procedure main() {
  var x: bv8;
  assert gt8(add8(x, 1bv8), x);
}
