// expect: false(unreach-call)
// property: unreach-call:P
// A thread that starts in P calls it.
procedure P() { }
procedure main()
{
  fork 1 P();
  join 1;
}
