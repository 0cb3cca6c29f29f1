// expect: true
// The largest member of the union does not have what the other one has.
extern void reach_error(void);
union U { struct { char a; int q; } x; struct { char a, b; short c; } y; };
int main(void) { union U u, v; u.y.b = 7; u.y.c = 9; v = u; if (v.y.b != 7 || v.y.c != 9) reach_error(); return 0; }
