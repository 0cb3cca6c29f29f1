// expect: true
datatype Shape { Point(), Circle(radius: int) }
procedure main(s: Shape, t: Shape) {
  assert s == t ==> s->radius == t->radius;
}
