// expect: true
datatype Mode { Off(), On(level: int) }
var mode: Mode;
procedure change() modifies mode; ensures mode is Off || mode->level > 0;
{
  havoc mode;
  if (mode is On && mode->level <= 0) { mode := Off(); }
}
procedure main() modifies mode; {
  mode := On(1);
  while (*) { call change(); }
  assert mode == Off() || mode->level >= 1;
}
