// expect: true
datatype List { Nil(), Cons(head: int, tail: List) }
procedure main(l: List, m: List) {
  assert Nil() != Cons(1, Nil());
  assert Cons(1, l) == Cons(2, m) ==> false;
  assert Cons(1, l) == Cons(1, m) ==> l == m;
  assert l is Nil || l is Cons;
  assert l is Cons ==> l == Cons(l->head, l->tail);
  assert l != Cons(3, l);
  assert l != Cons(3, Cons(4, l));
}
