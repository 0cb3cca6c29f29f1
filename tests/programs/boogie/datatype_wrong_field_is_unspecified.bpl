// expect: false
datatype Shape { Point(), Circle(radius: int) }
procedure main(s: Shape) {
  assert s is Point ==> s->radius == 0;
}
