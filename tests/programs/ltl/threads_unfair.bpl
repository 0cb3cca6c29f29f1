// expect: false(ltl)
// property: LTL(F "flag")
// Without fairness the first thread may wait for ever.
var flag: bool;
procedure other() modifies flag; { flag := true; }
procedure main() modifies flag;
{
  flag := false;
  fork 1 other();
  while (!flag) { }
}
