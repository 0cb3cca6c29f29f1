// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// A 32-bit counter: 2^32 states, 3^32 paths through the body, and the invariant !wrong.
// A carry out of the top bit leaves that bit cleared. One query with the body as one block.
procedure main() {
  var b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19, b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31: bool;
  var carry, wrong: bool;
  wrong := false;
  while (*) {
    carry := true;
    if (carry) { if (b0) { b0 := false; } else { b0, carry := true, false; } }
    if (carry) { if (b1) { b1 := false; } else { b1, carry := true, false; } }
    if (carry) { if (b2) { b2 := false; } else { b2, carry := true, false; } }
    if (carry) { if (b3) { b3 := false; } else { b3, carry := true, false; } }
    if (carry) { if (b4) { b4 := false; } else { b4, carry := true, false; } }
    if (carry) { if (b5) { b5 := false; } else { b5, carry := true, false; } }
    if (carry) { if (b6) { b6 := false; } else { b6, carry := true, false; } }
    if (carry) { if (b7) { b7 := false; } else { b7, carry := true, false; } }
    if (carry) { if (b8) { b8 := false; } else { b8, carry := true, false; } }
    if (carry) { if (b9) { b9 := false; } else { b9, carry := true, false; } }
    if (carry) { if (b10) { b10 := false; } else { b10, carry := true, false; } }
    if (carry) { if (b11) { b11 := false; } else { b11, carry := true, false; } }
    if (carry) { if (b12) { b12 := false; } else { b12, carry := true, false; } }
    if (carry) { if (b13) { b13 := false; } else { b13, carry := true, false; } }
    if (carry) { if (b14) { b14 := false; } else { b14, carry := true, false; } }
    if (carry) { if (b15) { b15 := false; } else { b15, carry := true, false; } }
    if (carry) { if (b16) { b16 := false; } else { b16, carry := true, false; } }
    if (carry) { if (b17) { b17 := false; } else { b17, carry := true, false; } }
    if (carry) { if (b18) { b18 := false; } else { b18, carry := true, false; } }
    if (carry) { if (b19) { b19 := false; } else { b19, carry := true, false; } }
    if (carry) { if (b20) { b20 := false; } else { b20, carry := true, false; } }
    if (carry) { if (b21) { b21 := false; } else { b21, carry := true, false; } }
    if (carry) { if (b22) { b22 := false; } else { b22, carry := true, false; } }
    if (carry) { if (b23) { b23 := false; } else { b23, carry := true, false; } }
    if (carry) { if (b24) { b24 := false; } else { b24, carry := true, false; } }
    if (carry) { if (b25) { b25 := false; } else { b25, carry := true, false; } }
    if (carry) { if (b26) { b26 := false; } else { b26, carry := true, false; } }
    if (carry) { if (b27) { b27 := false; } else { b27, carry := true, false; } }
    if (carry) { if (b28) { b28 := false; } else { b28, carry := true, false; } }
    if (carry) { if (b29) { b29 := false; } else { b29, carry := true, false; } }
    if (carry) { if (b30) { b30 := false; } else { b30, carry := true, false; } }
    if (carry) { if (b31) { b31 := false; } else { b31, carry := true, false; } }
    if (carry && b31) { wrong := true; }
  }
  assert !wrong;
}
