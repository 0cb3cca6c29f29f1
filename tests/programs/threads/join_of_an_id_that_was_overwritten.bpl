// expect: false
// Both threads count and then start a thread with the shared id, which may be the same one for both.
var counter, id, c: int;
procedure writes() modifies c; { c := 1; }
procedure nothing() { }
procedure first() modifies counter, id, c;
{
  var mine: int;
  counter, id := counter + 1, counter + 1;
  atomic { fork id writes(); mine := id; }
  join mine;
  c := 2;
  assert c == 2;
}
procedure second() modifies counter, id;
{
  counter, id := counter + 1, counter + 1;
  fork id nothing();
}
procedure main() modifies counter, id, c;
{
  var one, two: int;
  counter := 100;
  counter, one := counter + 1, counter + 1;
  fork one first();
  counter, two := counter + 1, counter + 1;
  fork two second();
}
