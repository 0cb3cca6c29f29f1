// expect: false
// engine: auto, kojak, impact, predicate-abstraction, trace-abstraction, whale
// timeout: 20s
// As many copies, but the error is met in the first call of the last procedure.
var x: int;
procedure p0(d: int) modifies x; { call p1(d + 1); call p1(d + 2); }
procedure p1(d: int) modifies x; { call p2(d + 1); call p2(d + 2); }
procedure p2(d: int) modifies x; { call p3(d + 1); call p3(d + 2); }
procedure p3(d: int) modifies x; { call p4(d + 1); call p4(d + 2); }
procedure p4(d: int) modifies x; { call p5(d + 1); call p5(d + 2); }
procedure p5(d: int) modifies x; { call p6(d + 1); call p6(d + 2); }
procedure p6(d: int) modifies x; { call p7(d + 1); call p7(d + 2); }
procedure p7(d: int) modifies x; { call p8(d + 1); call p8(d + 2); }
procedure p8(d: int) modifies x; { call p9(d + 1); call p9(d + 2); }
procedure p9(d: int) modifies x; { call p10(d + 1); call p10(d + 2); }
procedure p10(d: int) modifies x; { call p11(d + 1); call p11(d + 2); }
procedure p11(d: int) modifies x; { call p12(d + 1); call p12(d + 2); }
procedure p12(d: int) modifies x; { call p13(d + 1); call p13(d + 2); }
procedure p13(d: int) modifies x; { call p14(d + 1); call p14(d + 2); }
procedure p14(d: int) modifies x; { call p15(d + 1); call p15(d + 2); }
procedure p15(d: int) modifies x; { call p16(d + 1); call p16(d + 2); }
procedure p16(d: int) modifies x; { call p17(d + 1); call p17(d + 2); }
procedure p17(d: int) modifies x; { call p18(d + 1); call p18(d + 2); }
procedure p18(d: int) modifies x; { call p19(d + 1); call p19(d + 2); }
procedure p19(d: int) modifies x; { call p20(d + 1); call p20(d + 2); }
procedure p20(d: int) modifies x; { x := x + d; assert x != 20; }
procedure main() modifies x; { x := 0; call p0(0); }
