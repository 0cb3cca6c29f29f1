// expect: false
// A thread that cannot take a step must not be the only one that is followed.
procedure stop() { assume false; }
procedure main() {
  fork 1 stop();
  assert false;
}
