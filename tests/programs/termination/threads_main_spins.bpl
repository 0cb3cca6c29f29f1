// expect: false
// property: termination
procedure nothing() { }
procedure main() {
  fork 1 nothing();
  while (true) { }
}
