// expect: true
function {:bvbuiltin "bvadd"} add8(bv8, bv8) returns (bv8);
function {:smtbuiltin "bvslt"} slt8(bv8, bv8) : bool;
function {:builtin "sign_extend"} {:indices 8} sext(x: bv8) returns (y: bv16);
function {:builtin "zero_extend 8"} zext(x: bv8) returns (y: bv16);
procedure main() {
  var x: bv8;
  x := add8(255bv8, 2bv8);
  assert x == 1bv8;
  assert slt8(200bv8, 1bv8);
  assert sext(200bv8) == 65480bv16;
  assert zext(200bv8) == 200bv16;
  assert (1bv8 ++ 2bv8) == 258bv16;
  assert (1bv8 ++ 2bv8)[16:8] == 1bv8;
}
