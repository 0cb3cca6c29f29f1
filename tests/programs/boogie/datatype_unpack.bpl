// expect: false
datatype Pair<T, U> { Pair(fst: T, snd: U) }
datatype Option<T> { None(), Some(value: T) }
procedure main(p: Pair int bool, o: Option int) {
  var x: int, b: bool;
  Pair(x, b) := p;
  assert p == Pair(x, b);
  Some(x) := o;
}
