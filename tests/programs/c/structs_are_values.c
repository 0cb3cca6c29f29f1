// expect: true
extern void reach_error(void);
struct S { int a, b; }; void f(struct S s) { s.a = 9; }
int main(void) {
    struct S s = { 1, 2 }, t = s; f(s); s.a += 4; if (t.a != 1 || s.a != 5) reach_error();
    return 0;
}
