//! Sizes, offsets, padding, attributes, bit-fields, unions, initialisers and copies.

use super::{Piece, local, with};

pub(super) const PIECES: &[Piece] = &[
    with(
        "struct A$k { $t a; $t b ⟨¦__attribute__((aligned(8)))¦__attribute__((packed))¦__attribute__((aligned))¦__attribute__((aligned(2), packed))⟩; ⟨char c : 3;¦int c : 20;¦⟩ $t d; } ⟨¦__attribute__((packed))¦__attribute__((aligned(16)))¦__attribute__((packed, aligned(2)))⟩; struct O$k { char x; struct A$k y; $t z; };",
        "acc += (int)sizeof(struct A$k) + 100 * (int)offsetof(struct A$k, ⟨b¦d⟩) + 7 * (int)_Alignof(struct A$k) + (int)offsetof(struct O$k, z) + (int)sizeof(struct O$k);",
    )
    .freestanding(),
    with(
        "struct A$k { char a; ⟨__attribute__((aligned(8))) int b¦int __attribute__((aligned(8))) b¦_Alignas(8) int b¦_Alignas(long long) char b¦__attribute__((aligned(16))) $t b¦$t b __attribute__((aligned(4)))⟩; char c; };",
        "acc += (int)sizeof(struct A$k) * 100 + (int)offsetof(struct A$k, b) * 10 + (int)offsetof(struct A$k, c);",
    )
    .freestanding(),
    with(
        "typedef $t T$k __attribute__((aligned(⟨1¦2¦4¦8¦16⟩))); struct A$k { char a; T$k b; char c; ⟨T$k d;¦⟩ };",
        "acc += (int)sizeof(struct A$k) * 10 + (int)offsetof(struct A$k, b) + (int)_Alignof(T$k) + (int)sizeof(T$k);",
    )
    .freestanding(),
    with(
        "enum E$k { A$k = ⟨-1¦0⟩, B$k = ⟨5¦200¦70000⟩ } ⟨¦__attribute__((packed))⟩; typedef ⟨int¦unsigned⟩ M$k __attribute__((mode(⟨QI¦HI¦SI¦DI⟩))); typedef enum F$k { C$k, D$k = 3 } F$k __attribute__((⟨mode(QI)¦mode(HI)¦packed¦aligned(8)⟩));",
        "M$k m = (M$k)$v; m += ⟨1¦120¦0⟩; acc += (int)sizeof(enum E$k) * 10 + (int)sizeof m + (m < 0) + (int)sizeof(F$k) + (int)m % 100; struct { char c; F$k f; } s; acc += (int)sizeof s;",
    )
    .freestanding(),
    with(
        "#pragma pack(push, ⟨1¦2¦4⟩)\nstruct A$k { char a; $t b; ⟨short c : 5; int d : 13;¦double c;¦⟩ };\n#pragma pack(pop)\nstruct B$k { char a; struct A$k b; long long c; };",
        "struct A$k s = { 1, 2 }; acc += (int)sizeof s * 100 + (int)sizeof(struct B$k) + s.b + (int)offsetof(struct B$k, c);",
    )
    .freestanding(),
    with(
        "struct A$k { ⟨unsigned a : 3; unsigned b : ⟨7¦30⟩; unsigned : 0; unsigned c : 5;¦char a : 3; char b : 6; short c : 9;¦int a : 4; unsigned char b; int c : 25;¦long long a : 33; int b : 5; int c : 27;¦unsigned char a : 4, b : 4, c : 1;⟩ ⟨char e;¦⟩ } ⟨¦__attribute__((packed))⟩;",
        "static struct A$k s = { 1, 2, 3 }; s.a ⟨+= 3¦= $v¦--⟩; s.b ⟨|= 4¦= $v¦++⟩; acc += (int)sizeof s * 100 + (int)s.a + (int)s.b * 3 + (int)s.c; unsigned char *b = (unsigned char *)&s; acc += b[0];",
    )
    .freestanding(),
    with(
        "struct B$k { ⟨int¦signed¦short¦long⟩ a : ⟨1¦2¦5⟩; unsigned b : ⟨1¦4⟩; _Bool c : 1; }; union U$k { struct B$k s; unsigned char raw[sizeof(struct B$k)]; };",
        "union U$k u; memset(&u, ⟨0¦255¦85⟩, sizeof u); u.s.a = ⟨-1¦1¦$v⟩; u.s.c = $v; acc += u.raw[0] + u.s.a + (int)u.s.b * 2 + u.s.c + (u.s.a < 0) + (-u.s.b < 0) + (u.s.b - 20 < 0);",
    )
    .freestanding(),
    with(
        "union U$k { $t a; $t b[2]; struct { unsigned char x; $t y; } c; double d; ⟨void *p;¦char s[9];¦⟩ };",
        "union U$k u; memset(&u, 0, sizeof u); u.a = ($T)1; u.c.x = 200; acc += (int)sizeof u * 10 + (int)u.b[0] + u.c.x + (int)_Alignof(union U$k); union U$k w = { .c = { 3, 4 } }; acc += w.c.y + (int)sizeof w.c;",
    )
    .freestanding(),
    with(
        "static struct P$k { char a; ⟨int¦long long¦double¦short⟩ b; char c; } p$k = { 1, 2, 3 }, z$k;",
        "unsigned char *b = (unsigned char *)&⟨p$k¦z$k⟩; acc += b[⟨0¦1⟩] + b[sizeof p$k - 1]; int n = 0; for (unsigned i = 0; i < sizeof p$k; i++) n += b[i]; acc += n ⟨> 0¦> 6¦< 300⟩; acc += memcmp(&p$k, &p$k, sizeof p$k);",
    )
    .freestanding(),
    with(
        "struct I$k { int a; struct { short x, y; } b[2]; char c[4]; ⟨int *p;¦⟩ }; static struct I$k i$k = { .b[1].y = 7, .c = \"ab\", .a = ⟨1¦-1⟩ }, j$k[] = { { 1, { { 2 }, { 3, 4 } } }, [2] = { .a = 9 } };",
        "struct I$k l = { 5, .b = { [1] = { .x = 6 } }, { 'q' } }; acc += i$k.a + i$k.b[1].y + i$k.b[0].x + i$k.c[1] + i$k.c[3] + (int)(sizeof j$k / sizeof *j$k) + j$k[$i3].a + j$k[0].b[1].y + l.b[1].x + l.c[0] + l.c[1] + l.b[0].y;",
    )
    .freestanding(),
    with(
        "struct C$k { int a, b[2]; }; static struct C$k *p$k = &(struct C$k){ 1, { 2, ⟨3¦-3⟩ } }; static int *q$k = (int[]){ 4, 5, 6 }; static struct C$k v$k = (struct C$k){ 7, { 8 } }; static const char *t$k[] = { \"ab\", [2] = \"c\" };",
        "acc += p$k->a + p$k->b[$i2] + q$k[$i3] + v$k.a + v$k.b[1] + (t$k[1] == 0) + t$k[⟨0¦2⟩][0]; p$k->a = 10; q$k[0]++; acc += p$k->a + q$k[0];",
    )
    .freestanding(),
    with(
        "static int a$k[] = { [3] = 1, 2, [0] = ⟨5¦6⟩, [1 ... 2] = 8 }, m$k[][2] = { 1, 2, 3, { 4 }, { [1] = 5 } }; static char s$k[] = \"a\\0b\" \"\\x41\\101\", n$k[3] = \"xyz\", u$k[][4] = { \"abc\", { 'd' } };",
        "acc += a$k[$i5] + (int)(sizeof a$k / sizeof *a$k) + m$k[⟨1¦2⟩][$i2] + (int)(sizeof m$k / sizeof *m$k) * 100 + s$k[⟨2¦3¦4⟩] + (int)sizeof s$k + n$k[2] + u$k[1][⟨0¦1⟩];",
    )
    .freestanding(),
    with(
        "struct D$k { char tag; union { int i; struct { char lo, hi; }; }; $t tail; };",
        "struct D$k a = { 't', { 513 } }, b; b = a; b.hi = ⟨0¦9⟩; acc += a.lo + a.hi + b.i + (int)sizeof a + (int)offsetof(struct D$k, tail); struct D$k c[2] = { a, b }; c[0] = c[$i2]; acc += c[0].i;",
    )
    .freestanding(),
    with(
        "struct F$k { short n; $t d[]; }; struct E$k { }; struct Z$k { int a; char z[0]; }; struct N$k { struct F$k *p; struct E$k e; char c; };",
        "acc += (int)sizeof(struct F$k) + (int)offsetof(struct F$k, d) + (int)sizeof(struct E$k) * 100 + (int)sizeof(struct Z$k) + (int)sizeof(struct N$k) * 10;",
    )
    .freestanding(),
    local(
        "acc += (int)sizeof(⟨long¦void *¦long double¦size_t¦wchar_t¦long long¦double _Complex¦float¦_Bool¦ptrdiff_t⟩) * 10 + (int)⟨_Alignof¦__alignof__⟩(⟨long long¦double¦long double¦long¦short¦void *⟩) + (int)sizeof(⟨'a'¦1L¦1u + 1L¦1.0f¦(char)1 + 1¦\"abc\"¦L\"ab\"¦sizeof 1⟩);",
    )
    .freestanding(),
    local(
        "struct { char c; ⟨long long¦double¦long double¦long¦void *⟩ x; char d; } s; acc += (int)sizeof s * 10 + (int)((char *)&s.d - (char *)&s) + (int)_Alignof(s);",
    )
    .freestanding(),
    // Bytes.
    local(
        "unsigned char b[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }; ⟨int¦short¦unsigned¦long long⟩ x; memcpy(&x, b + ⟨0¦1¦3¦$i4⟩, sizeof x); acc += (int)(x % 1000) + (int)(x >> 8 & 255); x = $v; memcpy(b + ⟨1¦2¦4⟩, &x, sizeof x); acc += b[2] + b[4];",
    )
    .freestanding(),
    with(
        "struct __attribute__((packed)) K$k { char a; int b; short c; };",
        "struct K$k k = { 1, $v, 3 }, l[2]; l[1] = k; l[0] = l[1]; l[1].b += 5; acc += k.b + l[0].b + l[1].b + l[0].c + (int)sizeof l; unsigned char *p = (unsigned char *)&k; acc += p[1] + p[5];",
    )
    .freestanding(),
    local(
        "union { float f; unsigned u; } x; x.f = ⟨1.0f¦-2.5f¦0.1f⟩; acc += (int)(x.u >> 23 & 255u) + (int)(x.u & 15u); union { double d; unsigned long long u; unsigned char b[8]; } y = { ⟨1.5¦-0.0¦0.1⟩ }; acc += (int)(y.u >> 52) + y.b[⟨0¦7¦6⟩];",
    )
    .freestanding(),
    local(
        "int a[2][3] = { { 1, 2, 3 }, { 4, $v, 6 } }, b[2][3]; memcpy(b, a, sizeof a); int *p = b[⟨0¦1⟩]; acc += p[$i3] + (int)sizeof a[0] + (int)(&a[1] - &a[0]) + (int)((char *)&a[1] - (char *)a); int (*q)[3] = &b[1]; acc += (*q)[1];",
    )
    .freestanding(),
    local(
        "long long x = ⟨1LL << 40¦-2LL¦0x1122334455667788LL⟩; int *h = (int *)&x; short s = ((short *)&x)[⟨0¦1¦3⟩]; acc += h[⟨0¦1⟩] % 1000 + s % 100;",
    ),
    local(
        "char b[16]; for (int i = 0; i < 16; i++) b[i] = (char)i; int *p = (int *)(b + ⟨0¦4¦8⟩); acc += *p % 1000; *p = 7; acc += b[⟨4¦8¦0⟩] + b[5];",
    ),
    with(
        "struct S$k { int x; char n[4]; }; static struct S$k get$k(void) { return (struct S$k){ 3, \"ab\" }; }",
        "struct S$k s[3] = { [1] = { 1, \"z\" } }, *p = s; *p++ = get$k(); p->x = get$k().x; acc += s[0].n[1] + s[1].x + p->n[0] + s[2].n[$i4]; s[2] = s[1] = s[0]; acc += s[2].x + s[1].n[0]; struct S$k t = ($s > 1 ? s[0] : s[2]); acc += t.x;",
    )
    .freestanding(),
    with(
        "typedef struct { int a, b; } T$k; static T$k swap$k(T$k t) { return (T$k){ .a = t.b, .b = t.a }; }",
        "T$k t = { 1, $v }; t = swap$k(t); acc += t.a * 2 + t.b; t = (T$k){ t.b, t.a }; acc += t.a; T$k u = { .a = (t.b = 5), .b = 6 }; acc += u.a + t.b;",
    )
    .freestanding(),
    with(
        "struct S$k { char a; int b; }; struct W$k { struct S$k s; char t; struct S$k u[2]; };",
        "struct W$k w = { { 1, 2 }, 3, { { 4, 5 }, { 6, $v } } }, v = w; v.u[0] = w.u[1]; struct S$k *p = &v.u[$i2]; p->b++; acc += v.u[0].b + v.u[1].b * 2 + w.u[1].b + v.s.a + (int)sizeof w; memcpy(&v.s, p, sizeof *p); acc += v.s.b;",
    )
    .freestanding(),
    with(
        "static struct { int n; char s[4]; } t$k[2] = { { 1, \"abc\" }, { 2, \"d\" } }; static int *const q$k = &t$k[1].n; static char *const e$k = &t$k[0].s[⟨1¦2⟩];",
        "*q$k += $c; *e$k = 'x'; acc += t$k[1].n + t$k[0].s[1] + t$k[$i2].s[2] + (int)(e$k - t$k[0].s);",
    )
    .freestanding(),
    local(
        "struct { unsigned x : 4, y : 4; } a = { 5, 9 }, b = a, *p = &b; p->x += ⟨12¦$c⟩; p->y = p->x = ⟨20¦3⟩; acc += a.x * a.y + b.x * 100 + b.y; a = b; acc += a.y; a.x++; a.x <<= 1; acc += a.x--; acc += a.x;",
    )
    .freestanding(),
    local(
        "union { int i[2]; long long l; char c[8]; } u = { { $v, ⟨1¦-1⟩ } }; acc += (int)(u.l >> 32) + u.c[⟨4¦7⟩]; u.c[$i8] = 1; acc += (u.i[0] & 255) + (u.i[1] & 15); u.l = ⟨-2¦1LL << 33⟩; acc += u.i[1];",
    )
    .freestanding(),
    local(
        "int a[3] = { 1, $v, 3 }, b[3]; struct { int x[3]; } s = { { 7, 8, 9 } }, t; t = s; t.x[$i3] += a[$i3]; for (int i = 0; i < 3; i++) b[i] = t.x[2 - i]; acc += b[0] + b[1] * 2 + b[2] * 3 + (s.x == t.x) + (int)(sizeof s / sizeof s.x[0]);",
    )
    .freestanding(),
];
