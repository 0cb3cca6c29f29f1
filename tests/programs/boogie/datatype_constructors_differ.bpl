// expect: true
datatype Shape { Point(), Circle(radius: int), Box(width: int, height: int) }
procedure main(s: Shape, t: Shape) {
  assert Point() != Circle(1);
  assert Circle(1) != Circle(2);
  assert s is Point || s is Circle || s is Box;
  assert !(s is Point && s is Circle);
  assert s is Circle ==> s == Circle(s->radius);
  assert s is Box && t is Box && s->width == t->width && s->height == t->height ==> s == t;
  assert s is Point && t is Point ==> s == t;
  assert Box(3, 4)->height == 4;
  assert Box(3, 4)->(width := 5) == Box(5, 4);
}
