// expect: true
// Characters may look at any object.
extern void reach_error(void);
struct S { short a; char c; };
void copy(void *to, const void *from, unsigned n) {
    char *d = to;
    const char *s = from;
    for (unsigned i = 0; i < n; i++) d[i] = s[i];
}
int main(void) {
    struct S s = { 258, 3 }, t;
    copy(&t, &s, sizeof s);
    if (t.a != 258 || t.c != 3) reach_error();
    return 0;
}
