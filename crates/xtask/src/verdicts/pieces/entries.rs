//! Functions with parameters that executions start in (`--entry`).

use super::{Piece, entry};

pub(super) const PIECES: &[Piece] = &[
    entry(
        "int g$k = 1;",
        "int *p$k, int n$k",
        "static int h$k = 2; int *p$k = CHOICE == 0 ? 0 : CHOICE == 1 ? &g$k : &h$k, n$k = CHOICE;",
        "if (p$k) { g$k = 5; *p$k = ⟨7¦n$k⟩; acc += g$k; } ⟨acc += p$k == 0;¦acc += n$k > 2;¦⟩",
    ),
    entry(
        "",
        "int *p$k, int *q$k",
        "int x$k = 1, y$k = 2, *p$k = &x$k, *q$k = CHOICE ? &x$k : &y$k;",
        "⟨if (p$k && q$k) {¦{⟩ *p$k = 3; *q$k = 4; acc += *p$k; }",
    ),
    entry(
        "static int one$k(int n) { return n + 1; }",
        "int (*f$k)(int), int n$k",
        "int (*f$k)(int) = CHOICE ? one$k : 0; int n$k = CHOICE;",
        "⟨if (f$k)¦if (f$k)¦⟩ acc += f$k(n$k) ⟨== 2¦!= 2¦> 0⟩; acc += ⟨0¦1⟩;",
    ),
    entry(
        "",
        "unsigned char c$k, _Bool b$k",
        "unsigned char c$k = (unsigned char)(CHOICE * 85); _Bool b$k = CHOICE & 1;",
        "acc += (c$k ⟨> 200¦== 85¦< 3⟩) + b$k * 2; ⟨char a[4] = { 0 }; acc += a[c$k % 4⟨¦ + 1⟩];¦⟩",
    ),
    entry(
        "struct S$k { int a; char *s; };",
        "struct S$k s$k",
        "struct S$k s$k = { CHOICE, CHOICE == 3 ? 0 : \"ab\" };",
        "acc += s$k.a ⟨> 2¦== 1⟩; ⟨if (s$k.s)¦if (s$k.s && s$k.a == 1)¦⟩ acc += s$k.s[0] == 'a';",
    ),
    entry(
        "enum E$k { A$k, B$k = 4 };",
        "enum E$k e$k, long n$k, short h$k",
        "enum E$k e$k = CHOICE & 1 ? A$k : B$k; long n$k = CHOICE * 1000000L; short h$k = (short)(CHOICE - 2);",
        "acc += (e$k == B$k) + (n$k > 2000000) * 2 + (h$k < 0) * 4; ⟨int m = h$k; m *= 2; acc += m == -4;¦⟩",
    ),
    entry(
        "",
        "char *s$k",
        "char t$k[4] = \"ab\", *s$k = CHOICE == 0 ? 0 : CHOICE == 1 ? t$k : \"\";",
        "⟨if (s$k)¦if (!s$k) acc += 9; else¦⟩ acc += s$k[0] == ⟨'a'¦0⟩;",
    ),
    entry(
        "",
        "int n$k, double d$k",
        "int n$k = CHOICE == 3 ? 2147483647 : CHOICE; double d$k = CHOICE * 0.5;",
        "⟨acc += n$k + 1 > 2;¦if (n$k < 100 && n$k > -100) acc += n$k * 2 == 4;¦acc += d$k == 1.5;¦acc += -n$k < 5;⟩",
    ),
    entry(
        "struct N$k { int v; struct N$k *next; };",
        "struct N$k *l$k",
        "struct N$k b$k = { 2, 0 }, a$k = { 1, &b$k }, *l$k = CHOICE == 0 ? 0 : CHOICE == 1 ? &b$k : &a$k;",
        "⟨if (l$k)¦if (l$k && l$k->next)¦⟩ acc += l$k->v ⟨== 2¦== 1¦!= 1⟩; ⟨if (l$k && l$k->next) acc += l$k->next->v == 2;¦⟩",
    ),
    entry(
        "",
        "int argc, char **argv",
        "int argc = CHOICE; char *v$k[] = { \"a\", \"b\", \"c\", 0 }, **argv = v$k + 3 - CHOICE;",
        "⟨if (argc > 1)¦if (argv)¦⟩ acc += argc ⟨> 2¦== 3⟩; acc += 1;",
    ),
];
