// expect: false
datatype Option<T> { None(), Some(value: T) }
var m: [int]Option int;
procedure main(i: int, j: int) modifies m; {
  m[i] := Some(5);
  assert m[j] is None || m[j]->value == 5;
}
