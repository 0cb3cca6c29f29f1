// expect: false
datatype Shape { Point(), Circle(radius: int), Box(width: int, height: int) }
procedure main(s: Shape) {
  assert s is Box ==> s->width < 10;
}
