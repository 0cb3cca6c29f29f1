// expect: true
// One and half of the distance to the next number.
function {:builtin "fp.add"} ADD(m: rmode, x: float24e8, y: float24e8): float24e8;
procedure main() {
  assert ADD(RTZ, 0x1.0e0f24e8, 0x1.0e-6f24e8) == 0x1.0e0f24e8;
  assert ADD(RNE, 0x1.0e0f24e8, 0x1.0e-6f24e8) == 0x1.0e0f24e8;
  assert ADD(RTN, 0x1.0e0f24e8, 0x1.0e-6f24e8) == 0x1.0e0f24e8;
  assert ADD(RTP, 0x1.0e0f24e8, 0x1.0e-6f24e8) == 0x1.000002e0f24e8;
  assert ADD(RNA, 0x1.0e0f24e8, 0x1.0e-6f24e8) == 0x1.000002e0f24e8;
}
