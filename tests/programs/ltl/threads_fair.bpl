// expect: true
// property: LTL(F "flag")
// args: --fair
// The second thread gets its turn in a fair schedule.
var flag: bool;
procedure other() modifies flag; { flag := true; }
procedure main() modifies flag;
{
  flag := false;
  fork 1 other();
  while (!flag) { }
}
