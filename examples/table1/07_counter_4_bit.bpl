// expect: true
// A 4-bit ripple counter, incremented any number of times: a carry out of the top bit
// leaves that bit cleared. Path by path the body has 3^4 cases, as one block it is one formula.
procedure main() {
  var b0, b1, b2, b3: bool;
  var carry, wrong: bool;
  wrong := false;
  while (*) {
    carry := true;
    if (carry) { if (b0) { b0 := false; } else { b0, carry := true, false; } }
    if (carry) { if (b1) { b1 := false; } else { b1, carry := true, false; } }
    if (carry) { if (b2) { b2 := false; } else { b2, carry := true, false; } }
    if (carry) { if (b3) { b3 := false; } else { b3, carry := true, false; } }
    if (carry && b3) { wrong := true; }
  }
  assert !wrong;
}
