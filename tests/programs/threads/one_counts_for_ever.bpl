// expect: false
// A thread with only local steps, for ever, must not be the only one that is looked at.
procedure count() { var l: int; l := 0; while (true) { l := l + 1; } }
procedure main() {
  fork 1 count();
  assert false;
}
