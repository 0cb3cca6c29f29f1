// expect: true
// property: termination
// A thread that waits for what never happens does not run.
var x: int;
procedure stop() modifies x; { x := 1; assume false; }
procedure main() modifies x; {
  x := 0;
  fork 1 stop();
  x := 2;
  join 1;
}
