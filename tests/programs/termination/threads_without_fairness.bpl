// expect: false
// property: termination
// The second thread need never run.
var f: bool;
procedure set() modifies f; { f := true; }
procedure main() modifies f; {
  f := false;
  fork 1 set();
  while (!f) { }
  join 1;
}
