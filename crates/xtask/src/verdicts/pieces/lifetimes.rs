//! Objects whose life ends: blocks, returns, arrays of variable length, `alloca`, `free`.

use super::{Piece, local, rooted, with};

pub(super) const PIECES: &[Piece] = &[
    with(
        "static int dead$k; static int *make$k(int n) { ⟨int *p = alloca(n * sizeof *p); p[0] = n; «dead$k = 1;» return p;¦int *p = __builtin_alloca(n * sizeof *p); p[0] = n; «dead$k = 1;» return p;¦static int a[4]; a[0] = n; return a;¦\
         int a[n]; a[0] = n; int *p = a; «dead$k = 1;» return p;¦int a[2] = { n }; int *volatile p = a; «dead$k = 1;» return p;⟩ }",
        "int *p = make$k(3); ⟨acc += p != 0;¦«if (dead$k) DEREF» acc += p[0];¦«if (dead$k) DEREF» p[0] = 1;⟩",
    ),
    with(
        "struct H$k { char *p; }; static void give$k(struct H$k *h, int n) { char *q = ⟨alloca(n)¦alloca(8)⟩; memset(q, 'a', n); h->p = q; }",
        "struct H$k h; give$k(&h, ⟨2¦$s + 1⟩); ⟨¦«DEREF» acc += h.p[0];⟩ acc++;",
    )
    .freestanding(),
    local("char *p = 0; for (int i = 0; i < 3; i++) { char *q = alloca(2); q[0] = (char)i; q[1] = 'z'; if (i == ⟨0¦1⟩) p = q; } acc += p[0] + p[⟨1¦1¦0⟩];").freestanding(),
    local("int *p = 0; for (int i = 0; i < 2; i++) { int a[$s + 1]; a[0] = i; ⟨p = a; acc += *p;¦acc += a[0];¦if (i == 0) p = a; else { «DEREF» acc += *p; }⟩ } ⟨¦«if (p) DEREF» if (p) acc += *p;⟩"),
    local("int n = $s + 1, *p; { int a[n]; for (int i = 0; i < n; i++) a[i] = i; p = a; acc += p[n - 1]; } ⟨«DEREF» acc += p[0];¦{ int b[n]; b[0] = 3; acc += b[0]; }¦¦p = 0; if (p) acc += *p;⟩"),
    local("int n = 2; again$k:; int a[n]; a[n - 1] = n; acc += a[n - 1] + (int)sizeof a; if (++n < ⟨4¦5¦$s⟩) goto again$k;"),
    local("int *p; { ⟨int x = 4; p = &x;¦p = (int[]){ 4, 5 };¦p = &(int){ 4 };¦int x[2] = { 4 }; p = x;⟩ acc += *p; } ⟨¦¦«DEREF» acc += *p;¦«DEREF» *p = 1;⟩"),
    local("int *p = 0; for (int i = 0; i < 2; i++) { int x = i + 1; ⟨p = &x; acc += *p;¦if (p) { «DEREF» acc += *p; } p = &x;¦if (i == 0) p = 0; acc += x;⟩ }"),
    with("static int *at$k(int n) { int x = n; int *volatile p = &x; return ⟨p¦p¦0⟩; } static int *par$k(int n) { int *volatile p = &n; return p; }", "int *p = ⟨at$k(3)¦par$k($v)⟩; ⟨acc++;¦if (p) { «DEREF» acc += *p; }¦(void)p; acc += 2;⟩"),
    with("static int *keep$k; static void use$k(void) { int x = 5; keep$k = &x; *keep$k += 1; }", "use$k(); ⟨acc += 1;¦«DEREF» acc += *keep$k;¦keep$k = 0; acc += keep$k == 0;⟩"),
    with("static int sum$k(int *p, int n) { if (n == 0) return p ? *p : 0; int x = n; return sum$k(&x, n - 1) + (p ? *p : 0); }", "acc += sum$k(0, ⟨3¦$s⟩);").freestanding(),
    local("int i = 0, *p = 0; back$k: { int x = 7 + i; if (p⟨ && 0¦ && 0¦⟩) { «DEREF» acc += *p; } p = &x; acc += x; } if (i++ < ⟨1¦2⟩) goto back$k;"),
    local("switch ($s) { case 0: ; int x; x = 3; acc += x; break; case 1: x = 4; acc += x; default: x = 9; acc += x; }").freestanding(),
    local("int *p = ({ int t = 3; ⟨&t¦(int *)0⟩; }); ⟨acc += p != (int *)1;¦if (p) { «DEREF» acc += *p; }⟩"),
    // free.
    local("int x = 1, *p = ⟨&x¦alloca(4)¦malloc(4)¦malloc(4)¦0⟩; if (p) *p = 2; ⟨free(p);¦free(p);¦if (p != &x) free(p);⟩ acc += x;"),
    with("static int g$k[2];", "int *p = malloc(8); *p = 1; ⟨p++;¦p += 0;¦p = g$k;¦p = p + 1; p--;⟩ free(p); acc++;"),
    local("char *p = malloc(3), *q = p; q[0] = 1; free(⟨p¦q¦q + 1⟩); ⟨acc += *q;¦free(q);¦q = malloc(3); q[0] = 2; acc += q[0]; free(q);¦acc++;¦acc += p == q;⟩"),
    local("int **pp = malloc(sizeof *pp); *pp = malloc(4); **pp = $v; ⟨int *in = *pp; free(pp); acc += *in; free(in);¦free(*pp); free(pp);¦free(pp); ⟨acc += **pp;¦⟩¦acc += **pp; free(*pp); ⟨free(*pp);¦⟩ free(pp);⟩"),
    rooted(
        "static char *slot$k[2]; static void put$k(int i, int n) { slot$k[i] = malloc(n); slot$k[i][0] = (char)n; }",
        "put$k(0, 2); put$k(⟨0¦1⟩, 3); acc += slot$k[0][0]; ⟨free(slot$k[0]); free(slot$k[1]);¦free(slot$k[0]); slot$k[0] = 0;¦⟩",
        "slot$k",
    ),
    local("struct { int n; int *a; } s = { 2, malloc(8) }, t = s; t.a[1] = 4; acc += s.a[1]; free(s.a); ⟨acc += t.a[0];¦free(t.a);¦t.a = 0; free(t.a);¦acc += t.n;⟩"),
    local("char *p = realloc(0, ⟨4¦1⟩); p[⟨0¦3¦1⟩] = 'x'; char *q = realloc(p, 8); q[7] = 1; ⟨acc += q[7];¦acc += p[0];⟩ free(q);"),
    local("int n = ⟨0¦1¦$s⟩; if (n) { int a[n]; a[⟨0¦n - 1¦n⟩] = 1; acc += a[0] * 0 + (int)(sizeof a); }"),
    local("int n = 3; int (*m)[n] = malloc(2 * sizeof *m); m[1][⟨2¦0¦3⟩] = 4; m[0][0] = 1; acc += m[0][0] + (int)sizeof *m; n = 9; acc += (int)(sizeof *m / sizeof **m); free(m);"),
    with("static int last$k(int n, int a[n]) { return a[n - ⟨1¦1¦0⟩]; } static int cell$k(int r, int c, int m[r][c]) { return m[r - 1][c - 1]; }", "int a[3] = { 1, 2, $v }, m[2][2] = { { 1, 2 }, { 3, 4 } }; acc += last$k(⟨3¦2⟩, a) + cell$k(2, 2, m);"),
    local("int r = 0, *p = 0; if ($s) { int x = 3; p = &x; goto in$k; } { int y; in$k: y = 4; r += y; if (p⟨ && 0¦⟩) { «DEREF» r += *p; } } acc += r;"),
    local("int i = 0; loop$k:; int x = i, *p = &x; *p += 10; acc += *p; ⟨if (i++ < 2) goto loop$k;¦if (++i < 3) { acc++; goto loop$k; }⟩"),
    local("int *q = 0, n = 0; while (n < ⟨2¦3⟩) { int x = n++; if (x == 1) continue; q = &x; acc += *q; if (x > 1) break; } ⟨¦«DEREF» acc += *q;⟩"),
    local("int *p = 0; if (1) { int x = $v; p = &x; } else { int y = 1; p = &y; } ⟨acc++;¦«DEREF» acc += *p;⟩"),
    local("int *p; for (int i = 0, j = 5; i < ⟨2¦3⟩; i++) { p = &j; acc += (*p)--; } ⟨¦«DEREF» acc += *p;⟩"),
    with("static int *low$k(int *a, int *b) { return *a < *b ? a : b; } static int *deep$k(int n) { static int s = 4; int x = n; return low$k(&x, &s) == &s ? &s : 0; }", "int *p = deep$k(⟨3¦9¦$v⟩); acc += p ? *p : -1; int a = 2, b = $v; *low$k(&a, &b) += 3; acc += a * 2 + b;"),
    with("static int fill$k(int n) { int a[n + 1]; for (int i = 0; i <= n; i++) a[i] = i; return n == 0 ? 0 : a[n] + fill$k(n - 1); } static int two$k(int n) { char b[n]; if (n > ⟨2¦3⟩) return 1; b[n - 1] = 2; { char c[n + 1]; c[n] = 3; return b[n - 1] + c[n]; } }", "acc += fill$k(⟨3¦$s⟩) + two$k(⟨2¦$s + 1⟩);"),
    local("char *keep = 0; for (int i = 1; i < 4; i++) { if (i == 2) { keep = alloca(i); keep[0] = 'k'; } } acc += keep[0] + ⟨0¦(keep[1] = 'z')¦(keep[2] = 'z')⟩;"),
];
