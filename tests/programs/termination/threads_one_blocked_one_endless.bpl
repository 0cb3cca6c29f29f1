// expect: false
// property: termination
// That one thread cannot go on ends nothing.
procedure stop() { assume false; }
procedure main() {
  fork 1 stop();
  while (true) { }
}
