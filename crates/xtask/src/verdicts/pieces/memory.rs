//! Structs, pointers, lists, unions, strings, the heap, functions and integers.

use super::{Piece, local, rooted, with};

pub(super) const PIECES: &[Piece] = &[
    // Structs and arrays of them.
    with(
        "struct P$k { $t a; $t b; ⟨char c[3];¦$t c;¦struct { $t d, e; } c;⟩ };",
        "struct P$k s[3] = { { $v, $v }, { .b = $v } }; struct P$k *p = &s[$i3]; p->a ⟨=¦+=¦-=⟩ $v; s[$i3] = *p; \
         ⟨p = s; p++; p->b = $v;¦s[2] = s[$i2]; (p = s + $i3)->b++;¦⟩ acc += s[0].a + s[1].b + s[2].a + p->b;",
    ),
    with(
        "struct Q$k { int n; char name[4]; short h; }; static struct Q$k make$k(int n, char c) { struct Q$k q = { n, { c, 'x' }, (short)(n * 2) }; return q; } \
         static int use$k(struct Q$k q) { q.n++; q.name[$i4] = 'z'; return q.n + q.name[0] + q.h; }",
        "struct Q$k a = make$k($v, 'b'), b = a; b.name[$i4] = (char)$v; acc += use$k(a) + a.name[⟨0¦1¦2⟩] + b.name[0] + (int)sizeof a; ⟨a = b; acc -= a.name[1];¦⟩",
    ),
    with(
        "struct N$k { struct { $t x; $t y[2]; } in; $t z; };",
        "struct N$k a = { { $v, { $v, $v } }, $v }, b; memcpy(&b, &a, sizeof a); b.in.y[$i2]⟨++¦--¦ = $v⟩; ⟨__typeof__(b.in.y[0]) *q = &b.in.y[0]¦unsigned char *q = (unsigned char *)&b.in.y[0]⟩; acc += q[⟨0¦1⟩] + b.in.x - a.in.y[1]; \
         ⟨memset(&b.in, ⟨0¦1¦255⟩, sizeof b.in); acc += b.in.x + b.z;¦⟩",
    ),
    with(
        "static struct G$k { int key; const char *name; } table$k[] = { { 3, \"three\" }, { 1, \"one\" }, { .name = \"none\" } };",
        "int k = $s, at = -1; for (int i = 0; i < ⟨3¦3¦(int)(sizeof table$k / sizeof *table$k)¦4⟩; i++) if (table$k[i].key == k) { at = i; ⟨break;¦⟩ } \
         ⟨if (at >= 0)¦if (at >= 0)¦⟩ acc += table$k[at].name[0] + (int)strlen(table$k[at].name);",
    ),
    // Pointers.
    local(
        "int x = $v, y = $v, *p = &x, *q = &y, **pp = ⟨&p¦&q⟩; if ($s ⟨>¦==⟩ $c) *pp = ⟨q¦p¦&y⟩; **pp ⟨+=¦=⟩ $v; \
         *p -= ⟨1¦x¦y⟩; ⟨pp = &q; *pp = p; **pp = 7;¦⟩ acc += x * 2 + y + (p == q) + (*pp == q);",
    ),
    local(
        "int a[5] = { 1, $v, 3 }, *p = a + $i5, *e = a + 5; int n = 0; while (p ⟨<¦<¦!=¦<=⟩ e) { n += *p++; } acc += n + (int)(p - a); \
         ⟨acc += (int)((char *)e - (char *)a);¦acc += e[-$s - 1];¦⟩",
    ),
    local(
        "int *p = 0; { int x = $v; if ($s ⟨>¦<⟩ 2) p = &x; if (p) acc += *p; ⟨p = 0;¦p = 0;¦⟩ } ⟨if (p) acc += *p;¦¦if (p == 0) acc++;⟩",
    ),
    with(
        "static int *at$k(int *a, int n, int i) { if (i < ⟨0¦0¦1⟩ || i ⟨>=¦>=¦>⟩ n) return 0; return &a[i]; }",
        "int a[3] = { $v, $v, 1 }; int *p = at$k(a, 3, $s); ⟨if (p)¦if (p)¦⟩ *p += 2; acc += a[0] + a[1] * 2 + (p != 0);",
    ),
    with(
        "static void swap$k(int *a, int *b) { int t = *a; *a = *b; *b = t; } static int sum$k(const int *a, ⟨int¦unsigned¦size_t⟩ n) { int s = 0; while (n⟨--¦-- > 0⟩) s += a[n]; return s; }",
        "int a[4] = { $v, 2, $v, 4 }; swap$k(&a[$i4], a + $i4); swap$k(a, a + 3); acc += sum$k(a, ⟨4¦4¦3¦5⟩) + a[0] - a[3];",
    ),
    local(
        "int v = $v; int *p = &v; char *c = (char *)p; int *q = (int *)(void *)c; ⟨*q += 1;¦c[0] ^= 1;¦c[1] = 2;⟩ acc += *p + (q == p);",
    ),
    // Bytes of pointers.
    local(
        "int x = $v, y = 5, *p = &x, *q = &y; ⟨memcpy(&q, &p, sizeof p);¦for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i];¦memmove(&q, &p, sizeof q);⟩ \
         *q += 3; acc += x + y + (p == q);",
    ),
    with(
        "struct H$k { int *p; $t n; }; union W$k { struct H$k h; unsigned char raw[sizeof(struct H$k)]; };",
        "int x = $v; struct H$k a = { &x, 2 }, b = { 0, 0 }; ⟨memcpy(&b, &a, sizeof a);¦b = a;¦union W$k w, z; w.h = a; memcpy(z.raw, w.raw, sizeof z.raw); b = z.h;¦\
         for (size_t i = 0; i < sizeof a; i++) ((unsigned char *)&b)[i] = ((unsigned char *)&a)[i];⟩ *b.p += b.n; acc += x;",
    ),
    local(
        "int a[4] = { 1, $v, 3, 4 }; uintptr_t u = (uintptr_t)&a[$i4], w = (uintptr_t)a; int *p = (int *)u; *p += 1; acc += a[0] + a[1] + (int)(u % sizeof(int)) + (u >= w) + (int)((u - w) / sizeof(int));",
    ),
    // Lists and trees.
    with(
        "struct L$k { int v; struct L$k *next; };",
        "struct L$k *h = 0⟨¦, *last = 0⟩; for (int i = 0; i < ⟨$s¦3¦2⟩; i++) { struct L$k *n = malloc(sizeof *n); n->v = i + $c; n->next = h; h = n; } \
         ⟨for (struct L$k *p = h; p; p = p->next) acc += p->v;¦acc += h ? h->v : -1;¦int m = 0; for (struct L$k *p = h; p⟨¦->next⟩; p = p->next) m++; acc += m;⟩ \
         ⟨while (h) { struct L$k *n = h->next; free(h); h = n; }¦while (h) { struct L$k *n = h; h = h->next; free(n); }¦while (h) { free(h); h = h->next; }¦\
         while (h⟨ && h->next¦⟩) { struct L$k *n = h->next; free(h); h = n; }¦free(h);⟩",
    ),
    with(
        "struct L$k { $t v; struct L$k *next; };",
        "struct L$k *h = 0, **end = &h; for (int i = 0; i < ⟨$s¦3⟩; i++) { *end = calloc(1, sizeof **end); (*end)->v = i * 2 + $c; end = &(*end)->next; } \
         for (struct L$k **p = &h; *p;) { struct L$k *d = *p; if (d->v ⟨> 2¦== $c¦< 4⟩) { *p = d->next; acc += d->v; ⟨free(d);¦free(d);¦free(d); acc += d->v;¦⟩ } else p = &d->next; } \
         while (h) { struct L$k *n = h->next; acc += 10; free(h); h = n; }",
    ),
    with(
        "struct L$k { int v; struct L$k *next; };",
        "struct L$k n2 = { $v, 0 }, n1 = { 4, &n2 }, n0 = { $v, &n1 }, *h = &n0, *r = 0; while (h) { struct L$k *t = h->next; h->next = r; r = h; h = t; } \
         for (; r; r = r->next) acc = acc * 2 + r->v; ⟨acc += n1.next->v;¦acc += n0.next->v;¦acc += n2.next->next->v;⟩",
    ),
    with(
        "struct T$k { int key; struct T$k *l, *r; }; static struct T$k *put$k(struct T$k *t, int key) { if (!t) { t = malloc(sizeof *t); t->key = key; t->l = ⟨t->r = ¦t->r = ¦t->r = ¦⟩0; return t; } \
         if (key < t->key) t->l = put$k(t->l, key); else if (key > t->key) t->r = put$k(t->r, key); return t; } \
         static int drop$k(struct T$k *t) { if (!t) return 0; int n = drop$k(t->l) + t->key + ⟨drop$k(t->r)¦drop$k(t->r)¦0⟩; free(t); return n; }",
        "struct T$k *t = 0; t = put$k(t, 3); t = put$k(t, $s); t = put$k(t, $c); ⟨acc += t->l ? t->l->key : 9;¦⟩ acc += drop$k(t);",
    ),
    // Unions, bit-fields, bytes.
    with(
        "union U$k { int i; unsigned u; short h[2]; signed char c[4]; unsigned char b[4]; float f; };",
        "union U$k x; x.⟨i = $v¦u = 0x80ff7f01u¦f = 1.5f⟩; x.⟨c[$i4] = $v¦h[$i2] = $v¦u ^= 0x10u⟩; acc += x.c[$i4] + x.b[⟨1¦3⟩] + x.h[1]; ⟨union U$k y = x; acc += y.c[0];¦⟩",
    ),
    with(
        "struct V$k { char tag; union { int n; char *s; struct { short a, b; } p; }; };",
        "struct V$k x = { 1, { 0 } }; if ($s > 1) { x.tag = 's'; x.s = \"word\"; } else { x.tag = 'n'; x.⟨n = $v¦p.a = 3; x.p.b = $c⟩; } struct V$k y = x; \
         switch (y.tag) { case 's': acc += y.s[$i4]; break; case 'n': acc += y.n; }",
    ),
    with(
        "struct B$k { unsigned a : ⟨1¦3¦5⟩; int b : ⟨2¦4¦7⟩; unsigned c : ⟨9¦12¦17⟩; ⟨unsigned : 0;¦⟩ $t d; signed char e : 3; };",
        "struct B$k x = { 1, -1, 5, 2, 1 }, y; x.a ⟨= $v¦++¦+= 5⟩; x.b ⟨= $v¦--¦<<= 1⟩; x.c ⟨|= 64u¦= $v¦--⟩; x.e += $c; ⟨y = x;¦memcpy(&y, &x, sizeof y);⟩ y.b = 1; \
         acc += x.a + x.b + (int)x.c + y.e + y.b + (int)y.d + (int)sizeof y + (y.a - 2 < 0);",
    ),
    local(
        "unsigned x = 0x01020304u + $v; unsigned char *b = (unsigned char *)&x; b[$i4] ⟨= $v¦++¦+= 200¦^= 255⟩; acc += b[0] + b[3] * 2 + (int)(x >> 24) + (int)(x & 15u);",
    ),
    local(
        "long long w = -$c; signed char *b = (signed char *)&w; b[⟨$i4¦7¦6⟩] = $v; ⟨short *h = (short *)&w; acc += h[3];¦⟩ acc += (int)(w >> 56) + b[0] + (int)sizeof(long) + (w < 0);",
    ),
    // Strings.
    local(
        "char a[8] = \"⟨abc¦a¦abcdef¦⟩\", b[6] = \"⟨xy¦xyz¦⟩\"; ⟨strcpy(a, b);¦strcat(a, b);¦strncpy(a, \"hello w\", $s + 1);¦strncat(a, b, $s);¦memcpy(a + $c, b, 3);¦memmove(a + 1, a, $s);⟩ \
         acc += (int)strlen(a) * 3 + a[0] + (strcmp(a, b) > 0) - (strncmp(a, \"abd\", $s) < 0);",
    ),
    local(
        "const char *s = \"⟨banana¦needle in hay¦aXbXc⟩\"; char *p = ⟨strchr(s, '⟨n¦X¦e¦z⟩')¦strrchr(s, 'a')¦strstr(s, \"⟨an¦in¦Xb¦q⟩\")¦strpbrk(s, \"nX\")¦memchr(s, 'e', $s)⟩; \
         ⟨if (p)¦if (p)¦⟩ acc += (int)(p - s) + *p; acc += (int)strspn(s, \"ban\") + (int)strcspn(s, \"nX\");",
    ),
    local(
        "char buf[5]; int n = 0; for (const char *s = \"⟨ab¦abcd¦abcde¦⟩\"; *s; s++) { ⟨if (n < 4)¦if (n < 4)¦⟩ buf[n++] = *s ⟨¦- 32⟩; } ⟨buf[n] = 0;¦buf[n] = '\\0';¦buf[4] = 0; while (n < 4) buf[n++] = 'q';⟩ \
         for (int i = 0, j = (int)strlen(buf) - 1; i < j; i++, j--) { char t = buf[i]; buf[i] = buf[j]; buf[j] = t; } acc += buf[0] * 2 + (int)strlen(buf);",
    ),
    local(
        "char *d = strdup(\"⟨abc¦¦hello⟩\"); ⟨d[$i4 % 3] = 'k';¦d[0] = (char)(d[0] + $s);⟩ acc += d[0] + (int)strlen(d); ⟨free(d);¦free(d);¦free(d);¦free(d + $i1);¦⟩",
    ),
    local(
        "char s[] = \"⟨a,bb;c¦,,x¦one⟩\"; int n = 0; for (char *p = strtok(s, \",;\"); p; p = strtok(0, \",⟨;¦⟩\")) n = n * 10 + (int)strlen(p); acc += n;",
    ),
    local(
        "char *e; const char *t = \"⟨ 12x¦-7¦0x1f¦077¦z⟩\"; long v = ⟨strtol(t, &e, ⟨10¦0¦16⟩)¦(long)strtoul(t, &e, 0)⟩; acc += (int)v + (int)(e - t) + atoi(\"⟨42a¦ -3¦⟩\");",
    ),
    local(
        "char b[⟨16¦16¦8¦5⟩]; int n = ⟨sprintf(b, \"%d-%s\", ⟨$v¦$c⟩, \"⟨ab¦⟩\")¦snprintf(b, sizeof b, \"%03d%c\", $s, 'q')¦snprintf(b, $s + 1, \"%x\", 0xabcu)⟩; acc += n * 2 + b[0] + (int)strlen(b);",
    ),
    with(
        "static const char *names$k[] = { \"zero\", \"one\", \"two\" };",
        "const char *p = names$k[$i3]; acc += p[⟨0¦1¦$i4⟩] + (int)sizeof names$k / (int)sizeof *names$k; while (*p⟨¦++⟩) { p++; acc++; }",
    ),
    local(
        "char s[6] = \"hello\"; int up = 0; for (int i = 0; s[i]; i++) if (isalpha((unsigned char)s[i])) { s[i] = (char)toupper(s[i]); up++; } s[$i6] = '⟨1¦a¦ ⟩'; \
         acc += up + s[1] + !!isdigit((unsigned char)s[$i6]) + (s[5] == 0);",
    ),
    // The heap.
    local(
        "int n = ⟨$s + 1¦3¦$s⟩; int *a = malloc(n * sizeof *a); for (int i = 0; i ⟨<¦<¦<¦<=⟩ n; i++) a[i] = i * $c; ⟨a = realloc(a, (n + 2) * sizeof *a); a[n] = 1; a[n + ⟨1¦1¦2⟩] = 2; acc += a[n];¦⟩ \
         for (int i = 0; i < n; i++) acc += a[i]; ⟨free(a);¦free(a);¦free(a);¦free(a); free(a);¦if ($s > 1) free(a);¦free(a); acc += n > 0 ? a[0] : 0;¦⟩",
    ),
    local(
        "int *a = calloc(3, sizeof(int)); a[$i3] = $v; int *b = realloc(a, ⟨5¦2¦3⟩ * sizeof(int)); ⟨b[1] += 1; acc += b[0] + b[1];¦a[0] = 1;¦⟩ free(⟨b¦b¦b¦a⟩);",
    ),
    local(
        "int **m = malloc(2 * sizeof *m); for (int i = 0; i < 2; i++) { m[i] = malloc(3 * sizeof **m); for (int j = 0; j < 3; j++) m[i][j] = i * 3 + j; } m[$i2][$i3] = $v; \
         acc += m[1][0] + m[0][2]; for (int i = 0; i < ⟨2¦2¦2¦1⟩; i++) free(m[i]); ⟨free(m);¦free(m);¦free(m);¦⟩",
    ),
    with(
        "struct F$k { unsigned char n; $t d[]; };",
        "struct F$k *f = malloc(sizeof *f + 3 * sizeof f->d[0]); f->n = 3; for (int i = 0; i < ⟨f->n¦3¦2 + ($s > 2)¦f->n + ($s > 2) * 8⟩; i++) f->d[i] = i + $c; acc += f->d[⟨0¦1⟩] + f->n; free(f);",
    ),
    rooted(
        "static int *kept$k; static void keep$k(int v) { ⟨free(kept$k);¦free(kept$k);¦⟩ kept$k = malloc(sizeof *kept$k); *kept$k = v; }",
        "keep$k($v); ⟨if ($s > 0) keep$k(2);¦⟩ acc += *kept$k; ⟨free(kept$k);¦free(kept$k); kept$k = 0;¦kept$k = 0;¦⟩",
        "kept$k",
    ),
    with(
        "static int fill$k(int **out, int n) { if (n ⟨<¦>⟩ 1) return -1; *out = malloc(n * sizeof **out); for (int i = 0; i < n; i++) (*out)[i] = n - i; return n; }",
        "int *a = 0; int n = fill$k(&a, $s); if (n ⟨>¦>=⟩ 0) acc += a[⟨0¦n - 1¦n / 2¦n⟩]; ⟨free(a);¦free(a);¦if (n > 1) free(a);⟩",
    ),
    local(
        "char *p = malloc(4), *q = malloc(4); if (!p || !q) goto out$k; memset(p, 'a', 4); memcpy(q, p, ⟨4¦3⟩); q[3] = 0; if ($s == $c) goto ⟨out$k¦out$k¦half$k⟩; acc += (int)strlen(q) + p[$i4]; \
         out$k: free(q); half$k: free(p);",
    ),
    rooted(
        "struct R$k { char *name; struct R$k *peer; }; static struct R$k *reg$k;",
        "struct R$k *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->name = strdup(\"x\"); b->name = a->name; a->peer = b; b->peer = ⟨a¦0⟩; ⟨reg$k = a;¦reg$k = b;¦reg$k = 0;⟩ \
         acc += a->peer->name[0]; ⟨free(b->name); free(a); free(b);¦if (!reg$k) { free(a->name); free(b); free(a); }¦free(a->name); free(b->name); free(a); free(b);⟩",
        "reg$k",
    ),
    local(
        "size_t n = $s; char *p = ⟨malloc(n + 1)¦__builtin_alloca(n + 1)⟩; memset(p, 'b', n); p[⟨n¦n¦n¦n + 1¦0⟩] = 0; acc += p[0]; ⟨⟩free(⟨0¦0¦p⟩);",
    ),
    // Memory functions.
    local(
        "int a[5] = { 1, 2, $v, 4, 5 }; memmove(a + $i3, a + $i2, ⟨2¦3¦1⟩ * sizeof *a); ⟨memset(a + 1, ⟨0¦255¦1⟩, ⟨sizeof *a¦2 * sizeof *a¦$s⟩);¦⟩ acc += a[0] + a[1] % 1000 + a[4] + memcmp(a, a, sizeof a);",
    ),
    local(
        "unsigned char a[6] = { 9, $v, 3 }, b[6] = { 0 }; memcpy(b + $i3, a, $s⟨¦ + 1⟩); int c = memcmp(a, b, ⟨3¦6¦$s⟩); acc += b[2] + (c > 0) - (c < 0) + b[$i6];",
    ),
    with(
        "static int cmp$k(const void *x, const void *y) { int a = *(const int *)x, b = *(const int *)y; return ⟨(a > b) - (a < b)¦(b > a) - (b < a)⟩; }",
        "int a[4] = { 3, $v, 2, $c }; qsort(a, 4, sizeof *a, cmp$k); ⟨int key = $c; int *f = bsearch(&key, a, 4, sizeof *a, cmp$k); acc += f ? 1 : 0;¦⟩ acc += a[0] * 3 + a[$i4];",
    ),
    // Functions.
    with(
        "static int add$k(int a, int b) { return a + b; } static int sub$k(int a, int b) { return a - b; } static int mul$k(int a, int b) { return a * b; } \
         static int apply$k(int (*f)(int, int), int a, int b) { return f ? f(a, b) : -1; }",
        "int (*ops[])(int, int) = { add$k, sub$k, ⟨mul$k¦0⟩ }; acc += apply$k(ops[$i3], $v, 3) + ⟨apply$k($s > 1 ? mul$k : sub$k, $c, 2)¦(*ops[1])(5, $c)¦(ops[0] == add$k)⟩;",
    ),
    with(
        "struct O$k { int state; int (*step)(struct O$k *, int); }; static int up$k(struct O$k *o, int n); static int down$k(struct O$k *o, int n) { o->state -= n; ⟨if (o->state < 0)¦⟩ o->step = up$k; return 1; } \
         static int up$k(struct O$k *o, int n) { o->state += n; o->step = down$k; return 2; }",
        "struct O$k o = { $c, $s > 1 ? up$k : down$k }; for (int i = 0; i < 3; i++) acc += o.step(&o, i + $c); acc += o.state;",
    ),
    with(
        "static int sum$k(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n-- > 0) s += va_arg(ap, int); va_end(ap); return s; } \
         static int mix$k(const char *f, ...) { va_list ap; va_start(ap, f); int s = 0; for (; *f; f++) switch (*f) { case 'l': s += (int)va_arg(ap, long long); break; case 's': s += *va_arg(ap, char *); break; case 'i': s += va_arg(ap, int); } va_end(ap); return s; }",
        "acc += sum$k(⟨2¦1¦0⟩, $v, $v) + mix$k(\"⟨ils¦il¦i⟩\", $v, ⟨20LL¦-1LL⟩, \"q\");",
    ),
    with(
        "static int next$k(void) { static int n = $c; static char seen[3]; seen[n % 3]++; return n++ + seen[⟨0¦1⟩]; }",
        "int t = next$k(); if ($s > 1) t += next$k(); acc += t * 2 + next$k();",
    ),
    with(
        "static int fib$k(int n) { return n < 2 ? n : fib$k(n - 1) + fib$k(n - 2); } static int down$k(char *s) { if (!*s) return 0; return 1 + down$k(s + 1); }",
        "char s[4] = \"abc\"; s[$i4] = ⟨0¦'q'⟩; acc += fib$k($s) + down$k(s);",
    ),
    // Other storage and control.
    local(
        "int n = $s + ⟨1¦1¦0⟩; ⟨if (n == 0) n = 1;¦if (n == 0) n = 1;⟩ int a[n]; for (int i = 0; i < n; i++) a[i] = i * i; acc += a[⟨n - 1¦0¦$i2¦n / 2⟩] + (int)(sizeof a / sizeof *a);",
    ),
    local(
        "int r = ⟨$s + 1¦2⟩, c = 3; $t a[r][c]; for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) a[i][j] = i + j; a[⟨0¦r - 1¦r⟩][$i3] = $c; acc += a[r - 1][2] + (int)(sizeof a[0]);",
    ),
    with(
        "struct C$k { int x, y; }; static int dot$k(const struct C$k *a, struct C$k b) { return a->x * b.x + a->y * b.y; }",
        "acc += dot$k(&(struct C$k){ $c, .y = $v }, (struct C$k){ 2 }) + ((int[]){ 1, $v, 3 })[$i3]; ⟨struct C$k *p = &(struct C$k){ .y = 4 }; p->x = $c; acc += p->x + p->y;¦⟩",
    ),
    local(
        "int a[2][3] = { { 1, 2 }, { 4, $v, 6 } }; int (*row)[3] = a + $i2; int *flat = &a[0][0]; (*row)[$i3] ⟨= $v¦++⟩; acc += a[1][0] + flat[⟨1¦2¦0⟩] + row[0][1] + (int)(sizeof a / sizeof a[0]);",
    ),
    local(
        "int r = 0; switch ($s⟨¦ + 'a'⟩) { case 0: r += 1; ⟨break;¦⟩ case 1: r += 10; case 2 ... 3: r += 100; break; case 'a': r = 7; ⟨break;¦⟩ default: r += 1000; } acc += r;",
    ),
    local(
        "int i = 0, n = 0; again$k: n += i; if (++i < ⟨$s¦4⟩) goto again$k; if (n > $c) goto end$k; acc += 100; end$k: acc += n;",
    ),
    with(
        "enum E$k { RED$k = -1, GREEN$k, BLUE$k = 5 }; static enum E$k after$k(enum E$k c) { switch (c) { case RED$k: return GREEN$k; case GREEN$k: return BLUE$k; default: return RED$k; } }",
        "enum E$k c = ⟨RED$k¦GREEN$k⟩; for (int i = 0; i < $s; i++) c = after$k(c); acc += c + (c < BLUE$k);",
    ),
    with(
        "static int stack$k[3], top$k; static void push$k(int v) { ⟨if (top$k < 3)¦if (top$k < 3)¦⟩ stack$k[top$k++] = v; } static int pop$k(void) { return ⟨top$k > 0 ? stack$k[--top$k] : -1¦stack$k[--top$k]⟩; }",
        "for (int i = 0; i < ⟨$s¦2⟩; i++) push$k(i + $c); acc += pop$k(); push$k($v); acc += pop$k() * 2 + top$k;",
    ),
    // Integers.
    local(
        "signed char c = $v; unsigned char u = c; char p = (char)u; short h = (short)(c * 300); unsigned short w = h; acc += c + u + (p < 0) + h % 100 + w / 1000 + (c < u) + (c == (signed char)u);",
    ),
    local(
        "unsigned u = $s; int n = -1; long l = -1; acc += (n < u) + (l < u) * 2 + (u - 1 > $c) * 4 + ((unsigned char)(u - 1) > 5) + (int)(u - 2 < 10u) + (sizeof(l) > n);",
    ),
    local(
        "int m = ⟨2147483640¦2147483644¦-2147483646⟩; m ⟨+¦-⟩= $s; ⟨m += 2;¦m -= $c;¦m = -m;¦m++;¦m = m / ⟨-1¦2⟩;¦short h = 32767; h++; m = h;⟩ acc += m / 1000000;",
    ),
    local(
        "int x = $v; unsigned y = 0x80000000u >> $s; acc += (x >> 1) + (int)(y >> 28) + (~x & 7) + (x ^ $c) + (x << ⟨2¦$s⟩ > 3) + (int)(y % 7u);",
    ),
    local(
        "int a[3] = { 1, 2, 3 }, i = 0; a[i++] ⟨+= 10¦= $v⟩; int *p = a; acc += *p++; ⟨*p++ = 4;¦*++p = $c;¦(*p)++;⟩ acc += *p + i + a[1] + (i ? a[i], 5 : 6);",
    ),
    local(
        "_Bool b = $v; b ⟨+= 2¦--¦= !b¦|= 4⟩; long long q = ($v) * 1000000000LL * 3; acc += b + (int)(q / 1000000000) + (int)(unsigned char)q + (q > 0 && ++b ⟨> 1¦== 1⟩);",
    ),
    local(
        "double d = $v ⟨/ 2.0¦* 0.5¦+ 0.25⟩; float f = (float)d; acc += (int)d + (int)(f * 4) + (d > $c) + (f == d);",
    ),
];
