// expect: false
// engine: auto, thread-modular
// gives-up: thread-modular
// One atomic section joins both threads.
var x: int;
procedure set() modifies x; { x := 1; }
procedure main() modifies x;
{ x := 0; fork 1 set(); fork 2 set(); atomic { join 1; join 2; } assert x == 5; }
