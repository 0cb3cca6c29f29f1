// expect: unknown
function {:builtin "fp.add"} ADD(m: rmode, x: float24e8, y: float24e8): float24e8;
procedure main() {
  var m: rmode;
  havoc m;
  assert ADD(m, 0x1.0e0f24e8, 0x1.0e0f24e8) == 0x2.0e0f24e8;
}
