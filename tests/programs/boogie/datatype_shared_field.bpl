// expect: true
datatype Event { Start(time: int), Stop(time: int, ok: bool) }
procedure main(e: Event) {
  assert Start(3)->time == 3 && Stop(4, true)->time == 4;
  assert e->(time := 9)->time == 9;
  assert e is Stop ==> e->(time := 9) == Stop(9, e->ok);
  assert e is Start ==> e->(time := 9) is Start;
}
