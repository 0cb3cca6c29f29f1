// expect: true
// engine: auto, trace-abstraction, taipan, kojak, impact, predicate-abstraction, bmc
// gives-up: bmc
// A 8-bit counter: 2^8 states, 3^8 paths through the body, and the invariant !wrong.
// A carry out of the top bit leaves that bit cleared. One query with the body as one block.
procedure main() {
  var b0, b1, b2, b3, b4, b5, b6, b7: bool;
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
    if (carry && b7) { wrong := true; }
  }
  assert !wrong;
}
