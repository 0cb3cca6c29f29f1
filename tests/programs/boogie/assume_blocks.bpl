// expect: true
// A false assumption ends the execution without a verdict.
procedure main() {
  assume false;
  assert false;
}
