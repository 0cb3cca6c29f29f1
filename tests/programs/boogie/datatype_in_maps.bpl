// expect: true
datatype Option<T> { None(), Some(value: T) }
var m: [int]Option int;
procedure main(i: int, j: int) modifies m; {
  m[i] := Some(5);
  m[j] := None();
  assert i != j ==> m[i] == Some(5);
  assert i == j ==> m[i] is None;
  assert m[i] is None || m[i]->value == 5;
}
