// expect: true
// A 4-bit counter with nested branches that counts until its top bit is set. The assertion follows from
// the condition of the loop.
procedure main() {
  var b0, b1, b2, b3: bool;
  b0, b1, b2, b3 := false, false, false, false;
  while (!b3) {
    if (!b0) { b0 := true; }
    else {
      b0 := false;
      if (!b1) { b1 := true; }
      else {
        b1 := false;
        if (!b2) { b2 := true; }
        else {
          b2 := false;
          b3 := !b3;
        }
      }
    }
  }
  assert b3;
}
