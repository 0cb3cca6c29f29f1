//! Pointers to functions, functions without body, structs by value, variable arguments.

use super::{Piece, local, with};

pub(super) const PIECES: &[Piece] = &[
    // Without body.
    with("extern ⟨int¦unsigned¦long⟩ any$k(void);", "int x = (int)(any$k() & 3); ⟨if (x > ⟨1¦2¦3⟩) acc += 10;¦acc += x;¦int a[4] = { 1, 2, 3, 4 }; acc += a[x⟨¦ + 1⟩];⟩")
        .hiding("__typeof__(any$k()) any$k(void) { return CHOICE; }"),
    with("extern _Bool yes$k(int); extern unsigned char byte$k(const char *);", "if (yes$k($c)) acc += 1; else acc += ⟨2¦5⟩; acc += byte$k(\"x\") & 1;")
        .hiding("_Bool yes$k(int n) { (void)n; return CHOICE & 1; } unsigned char byte$k(const char *s) { (void)s; return CHOICE >> 1; }"),
    with("int g$k = 1; extern int *some$k(void);", "int *p = some$k()⟨¦, *q = some$k()⟩; ⟨if (p) {¦{⟩ g$k = 5; *p = 7; acc += g$k; } ⟨g$k = 2; acc += *p;¦⟩")
        .hiding("static int other$k = 3; int *some$k(void) { return CHOICE == 0 ? &g$k : CHOICE == 3 ? 0 : &other$k; }")
        .open(),
    with("struct N$k { int v; struct N$k *next; } first$k = { 1, 0 }; extern struct N$k *some$k(void);", "struct N$k *p = some$k(), *q = some$k(); if (p && q) { p->v = 1; q->v = 2; acc += p->v; ⟨acc += first$k.v;¦⟩ }")
        .hiding("static struct N$k second$k; static int n$k; struct N$k *some$k(void) { return CHOICE >> n$k++ & 1 ? &first$k : &second$k; }")
        .open(),
    with("struct S$k { ⟨int n; int *p;¦int *p; char c[3];¦struct { int *p; };¦int *p;⟩ }; extern void take$k(struct S$k);", "int x = $v; struct S$k s; memset(&s, 0, sizeof s); s.p = &x; take$k(s); acc += x;")
        .hiding("void take$k(struct S$k s) { if (CHOICE) *s.p = CHOICE + 10; }")
        .open(),
    with("union S$k { int *p; long n; }; extern int take$k(union S$k);", "int x = 4; union S$k s; s.p = &x; acc += take$k(s) & 1; acc += x;")
        .hiding("int take$k(union S$k s) { if (CHOICE) *s.p = CHOICE + 10; return 0; }")
        .open(),
    with("extern void set$k(void *, int);", "int x = $v, y = 3; set$k(&x, 4); acc += ⟨x¦y¦x + y⟩;")
        .hiding("void set$k(void *p, int n) { if (CHOICE) memset(p, CHOICE, n); }")
        .open(),
    with("extern int set$k(int *, int);", "int a[3] = { 1, 2, 3 }; int r = set$k(a + ⟨0¦1⟩, 2) & 1; acc += a[⟨0¦1¦2⟩] + r;")
        .hiding("int set$k(int *p, int n) { if (CHOICE) p[CHOICE % n] = 40; return CHOICE; }")
        .open(),
    with("extern void call$k(void (*)(void)); int n$k; static void cb$k(void) { n$k++; }", "call$k(cb$k); acc += n$k;")
        .hiding("void call$k(void (*f)(void)) { for (int i = 0; i < CHOICE; i++) f(); }")
        .open(),
    with("extern char **words$k(void);", "char **w = words$k(); if (w && w[0]) acc += w[0][0] == 'a'; acc++;")
        .hiding("static char *list$k[] = { \"a\", 0 }; char **words$k(void) { return CHOICE ? list$k : 0; }")
        .open(),
    // Pointers to functions.
    with(
        "static int one$k(int n) { return n + 1; } static int two$k(int n) { return n * 2; } typedef int fn$k(int);",
        "fn$k *f = ⟨one$k¦&one$k¦*one$k¦0¦$s > 1 ? one$k : two$k⟩; ⟨if (f)¦if (f)¦⟩ acc += ⟨f($v)¦(*f)($v)¦(**f)($v)⟩ + (f == one$k); ⟨f = two$k; acc += f(3);¦⟩",
    )
    .freestanding(),
    with(
        "static int add$k(int a, int b) { return a + b; } static int sub$k(int a, int b) { return a - b; } static int (*pick$k(int n))(int, int) { return n ? add$k : ⟨sub$k¦sub$k¦0⟩; }",
        "acc += pick$k(1)(4, $v) + ⟨pick$k($s > 1)(5, $c)¦(*pick$k(0))(5, 1)¦(pick$k(1) == pick$k(2))⟩;",
    )
    .freestanding(),
    with(
        "struct V$k { int (*get)(void *); void *self; }; static int num$k(void *p) { return *(int *)p; } static int neg$k(void *p) { return -*(int *)p; } static const struct V$k table$k[2] = { { num$k, 0 }, { .get = neg$k } };",
        "int x = $v; struct V$k v = table$k[$i2]; v.self = &x; ⟨¦v.self = 0;¦v.get = neg$k;⟩ acc += v.get(v.self);",
    )
    .freestanding(),
    with(
        "static int run$k(void *f, int n) { return ((int (*)(int))f)(n); } static int inc$k(int n) { return n + 1; } union F$k { int (*i)(int); void *p; };",
        "union F$k u; u.i = inc$k; acc += run$k(u.p, ⟨3¦$v⟩) + run$k((void *)inc$k, 1) + (u.p == (void *)inc$k);",
    )
    .freestanding(),
    with(
        "static void rec$k(int n, int (*f)(int), int *out) { if (n == 0) { *out += f(n); return; } *out += f(n); rec$k(n - 1, f, out); } static int sq$k(int n) { return n * n; } static int id$k(int n) { return n; }",
        "int r = 0; rec$k(⟨3¦$s⟩, ⟨sq$k¦id$k¦$s ? sq$k : id$k⟩, &r); acc += r;",
    )
    .freestanding(),
    // Structs by value.
    with(
        "struct P$k { $t x; $t y[2]; ⟨char z;¦⟩ }; static struct P$k mk$k(int n) { struct P$k p = { n, { n + 1, n + 2 } }; return p; } static int sum$k(struct P$k p) { int s = (int)p.x + (int)p.y[0] + (int)p.y[1]; p.x = 9; return s; }",
        "acc += (int)mk$k($c).x + (int)mk$k(3).y[⟨0¦1¦$i2⟩] + sum$k(mk$k(⟨1¦$v⟩)); struct P$k a = mk$k(2), b; b = a = mk$k(4); acc += sum$k(a) + (int)b.y[1] + (int)a.x;",
    )
    .freestanding(),
    with(
        "struct B$k { char a[⟨1¦3¦5¦16¦17⟩]; }; static struct B$k fill$k(struct B$k b, char c) { for (unsigned i = 0; i < sizeof b.a; i++) b.a[i] += c; return b; }",
        "struct B$k b = { { 1 } }; b = fill$k(fill$k(b, 2), ⟨3¦$c⟩); acc += b.a[0] + b.a[sizeof b.a - ⟨1¦1¦1¦0⟩] + (int)sizeof b;",
    )
    .freestanding(),
    with(
        "struct D$k { double d; float f; int i; }; static double half$k(struct D$k x) { return x.d / 2 + x.f; }",
        "struct D$k x = { 3.0, 0.5f, $v }, *p = &x; p->f += 1; acc += (int)(half$k(*p) * 4) + x.i;",
    )
    .freestanding(),
    // Variable arguments.
    with(
        "static long sum$k(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); long s = 0; for (int i = 0; i < n; i++) s += va_arg(a, ⟨int¦int¦int⟩); va_end(a); s += n ? va_arg(b, int) : 0; va_end(b); return s; }",
        "acc += (int)sum$k(⟨3¦2¦0⟩, $v, (short)4, 'c');",
    )
    .freestanding(),
    with(
        "static int v$k(const char *f, va_list a) { int r = 0; while (*f) switch (*f++) { case 'd': r += (int)va_arg(a, double); break; case 'l': r += (int)va_arg(a, long); break; case 'p': r += *va_arg(a, int *); break; default: r += va_arg(a, int); } return r; } \
         static int all$k(const char *f, ...) { va_list a; va_start(a, f); int r = v$k(f, a); va_end(a); return r; } struct S$k { int a, b; }; static int st$k(int n, ...) { va_list a; va_start(a, n); struct S$k s = va_arg(a, struct S$k); va_end(a); return s.a + s.b; }",
        "int x = $v; acc += all$k(\"⟨dlpi¦dl¦d¦⟩\", ⟨2.5¦-1.0f⟩, 7L, &x, (char)3) + st$k(1, (struct S$k){ 3, $c });",
    )
    .freestanding(),
    // Declared in the old way, inline, static, recursive.
    with("static int old$k(a, b) int a; char b; { return a - b; }", "acc += old$k($v, ⟨3¦'a'⟩);").freestanding(),
    with("static inline int in$k(int n) { static int calls; calls++; return n + calls; }", "acc += in$k($v); acc += in$k(1) * 10;").freestanding(),
    with(
        "static int even$k(unsigned n); static int odd$k(unsigned n) { return n ? even$k(n - 1) : 0; } static int even$k(unsigned n) { return n ? odd$k(n - 1) : 1; }",
        "acc += even$k(⟨7¦$s⟩) + odd$k(3) * 2;",
    )
    .freestanding(),
    with(
        "static int ack$k(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack$k(m - 1, 1) : ack$k(m - 1, ack$k(m, n - 1)); }",
        "acc += ack$k(⟨1¦2⟩, ⟨2¦$s⟩);",
    )
    .freestanding(),
    with("static void put$k(int *out, const int in[static 2]) { out[0] = in[1]; out[1] = in[0]; }", "int a[2] = { 1, $v }, b[2]; put$k(b, a); acc += b[0] * 2 + b[1]; put$k(a, a); acc += a[0] + a[1];").freestanding(),
    local("int r = ({ int t = $v; t > 2 ? t : ({ int u = t * 2; u + 1; }); }); acc += r;").freestanding(),
];
