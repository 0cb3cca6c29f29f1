// expect: false
// may: unknown
// timeout: 2s
datatype List { Nil(), Cons(head: int, tail: List) }
procedure main(l: List) {
  assert l is Nil;
}
