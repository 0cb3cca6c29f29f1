// expect: true
datatype List<T> { Nil(), Cons(head: T, tail: List T) }
procedure main(l: List int) {
  var m: List int;
  m := Cons(1, Cons(2, l));
  m := m->tail;
  assert m is Cons && m->head == 2;
  m->head := 7;
  assert m == Cons(7, l);
}
