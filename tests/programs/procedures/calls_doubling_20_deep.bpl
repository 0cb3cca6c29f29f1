// expect: true
// engine: auto, kojak, impact, predicate-abstraction, trace-abstraction
// timeout: 20s
// Each procedure calls the next one twice: inlined, the bodies would be copied a million times.
var x: int;
procedure p0() modifies x; { call p1(); call p1(); }
procedure p1() modifies x; { call p2(); call p2(); }
procedure p2() modifies x; { call p3(); call p3(); }
procedure p3() modifies x; { call p4(); call p4(); }
procedure p4() modifies x; { call p5(); call p5(); }
procedure p5() modifies x; { call p6(); call p6(); }
procedure p6() modifies x; { call p7(); call p7(); }
procedure p7() modifies x; { call p8(); call p8(); }
procedure p8() modifies x; { call p9(); call p9(); }
procedure p9() modifies x; { call p10(); call p10(); }
procedure p10() modifies x; { call p11(); call p11(); }
procedure p11() modifies x; { call p12(); call p12(); }
procedure p12() modifies x; { call p13(); call p13(); }
procedure p13() modifies x; { call p14(); call p14(); }
procedure p14() modifies x; { call p15(); call p15(); }
procedure p15() modifies x; { call p16(); call p16(); }
procedure p16() modifies x; { call p17(); call p17(); }
procedure p17() modifies x; { call p18(); call p18(); }
procedure p18() modifies x; { call p19(); call p19(); }
procedure p19() modifies x; { call p20(); call p20(); }
procedure p20() modifies x; { x := x + 1; }
procedure main() modifies x; { x := 0; call p0(); assert x >= 0; }
