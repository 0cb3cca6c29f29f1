// expect: true
datatype Pair<T, U> { Pair(fst: T, snd: U) }
procedure main(p: Pair int (Pair int bool)) {
  var x: int, b: bool, q: Pair int (Pair int bool), inner: Pair int bool;
  Pair(x, inner) := p;
  Pair(x, b) := inner;
  assert p->snd->fst == x;
  q := p;
  q->snd->fst := x + 1;
  assert q->fst == p->fst && q->snd->snd == b;
  assert q->snd->fst == p->snd->fst + 1;
}
