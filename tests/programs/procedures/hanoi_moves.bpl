// expect: true
// engine: auto, trace-abstraction, whale
// The number of moves is counted in a global variable: at least one for each disc.
var moves: int;
procedure hanoi(n: int, from: int, to: int, via: int)
modifies moves;
{
  if (n > 0) {
    call hanoi(n - 1, from, via, to);
    moves := moves + 1;
    call hanoi(n - 1, via, to, from);
  }
}
procedure main()
modifies moves;
{
  var n: int;
  assume n >= 0;
  moves := 0;
  call hanoi(n, 1, 3, 2);
  assert moves >= n;
}
