// expect: true
function {:builtin "fp.add"} ADD(m: rmode, x: float24e8, y: float24e8): float24e8;
function {:builtin "fp.isNaN"} NAN(x: float24e8): bool;
function {:builtin "(_ to_fp 8 24) RNE"} OF_INT(x: int): float24e8;
procedure main(x: float24e8, m: [float24e8]int) {
  assert 0x1.0e0f24e8 + 0x2.0e0f24e8 == 0x3.0e0f24e8;
  assert ADD(RNE, 0x1.8e0f24e8, 0x0.8e0f24e8) == 0x2.0e0f24e8;
  assert 0x1.0e1f24e8 == OF_INT(16);
  assert NAN(x) <==> x != x;
  assert !(0NaN24e8 == 0NaN24e8);
  assert 0x1.0e0f24e8 < 0+oo24e8 && 0-oo24e8 < -0x1.0e0f24e8;
  assert NAN(x) ==> m[x] == m[0NaN24e8];
}
