// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// A 16-bit counter: 2^16 states, 3^16 paths through the body, and the invariant !wrong.
// A carry out of the top bit leaves that bit cleared. One query with the body as one block.
procedure main() {
  var b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15: bool;
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
    if (carry && b15) { wrong := true; }
  }
  assert !wrong;
}
