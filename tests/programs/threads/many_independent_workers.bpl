// expect: true
// engine: auto, reduced-interleavings, petri
var a, b, c, d, e, f, g, h: int;
procedure wa() modifies a; { var i: int; i := 0; a := 0; while (i < 5) { a := a + 1; i := i + 1; } }
procedure wb() modifies b; { b := 1; b := b + 1; }
procedure wc() modifies c; { c := 1; c := c + 1; }
procedure wd() modifies d; { d := 1; d := d + 1; }
procedure we() modifies e; { e := 1; e := e + 1; }
procedure wf() modifies f; { f := 1; f := f + 1; }
procedure wg() modifies g; { g := 1; g := g + 1; }
procedure wh() modifies h; { h := 1; h := h + 1; }
procedure ULTIMATE.start()
  modifies a, b, c, d, e, f, g, h;
{
  fork 1 wa(); fork 2 wb(); fork 3 wc(); fork 4 wd();
  fork 5 we(); fork 6 wf(); fork 7 wg(); fork 8 wh();
  join 1; join 2; join 3; join 4; join 5; join 6; join 7; join 8;
  assert a == 5 && b == 2 && c == 2 && d == 2 && e == 2 && f == 2 && g == 2 && h == 2;
}
