// expect: true
var counter, c: int;
procedure writes() modifies c; { c := 1; }
procedure nothing() { }
procedure first() modifies counter, c;
{
  var mine: int;
  counter, mine := counter + 1, counter + 1;
  fork mine writes();
  join mine;
  c := 2;
  assert c == 2;
}
procedure second() modifies counter;
{
  var mine: int;
  counter, mine := counter + 1, counter + 1;
  fork mine nothing();
}
procedure main() modifies counter, c;
{
  var one, two: int;
  counter := 100;
  counter, one := counter + 1, counter + 1;
  fork one first();
  counter, two := counter + 1, counter + 1;
  fork two second();
}
