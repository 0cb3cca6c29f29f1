//! Whole programs with threads, for data races; gcc's thread sanitizer is the reference.
//!
//! Whether two accesses are ordered never depends on who comes first, so that one run shows it.

use super::{Piece, with};

pub(super) const PIECES: &[Piece] = &[
    with(
        "static int g$k, h$k; static pthread_mutex_t m$k = PTHREAD_MUTEX_INITIALIZER; static void *f$k(void *a) { (void)a; pthread_mutex_lock(&m$k); ⟨g$k++;¦g$k = 1;¦h$k = g$k;⟩ pthread_mutex_unlock(&m$k); ⟨¦h$k = 2;⟩ return 0; }",
        "pthread_t t; pthread_create(&t, 0, f$k, 0); ⟨pthread_mutex_lock(&m$k); g$k += 2; pthread_mutex_unlock(&m$k);¦g$k = 3;¦acc += (h$k == 77);¦⟩ pthread_join(t, 0); acc += (g$k == 77);",
    ),
    with(
        "static char text$k[8] = \"abc\"; static void *f$k(void *a) { (void)a; ⟨text$k[⟨0¦5⟩] = 'x';¦puts(text$k);¦printf(\"%s\", text$k);¦memset(text$k, 'a', 2);¦strcpy(text$k, \"q\");¦text$k[4] = 1;⟩ return 0; }",
        "pthread_t t; pthread_create(&t, 0, f$k, 0); ⟨puts(text$k);¦acc += ((int)strlen(text$k) == 77);¦acc += (text$k[0] == 77);¦acc += (text$k[1] == 77);¦text$k[2] = 'z';¦printf(\"%s\\n\", text$k);¦fputs(text$k, stdout);¦memcpy(text$k + 4, \"abc\", 4);⟩ pthread_join(t, 0);",
    ),
    with(
        "static int x$k, y$k, z$k; static void *f$k(void *a) { ⟨memset(a, 0, sizeof(int));¦memcpy(a, &y$k, sizeof(int));¦*(int *)a = 1;¦z$k += *(int *)a;¦y$k = 2;⟩ return 0; }",
        "pthread_t t; pthread_create(&t, 0, f$k, &x$k); ⟨x$k = 4;¦y$k = 4;¦memset(&x$k, 1, 4);¦memcpy(&y$k, &x$k, 4);¦acc += (x$k == 77);¦⟩ pthread_join(t, 0); acc = 0; ⟨x$k++;¦⟩",
    ),
    with(
        "struct S$k { int a, b; }; static ⟨_Atomic¦_Atomic¦⟩ struct S$k s$k; static void *f$k(void *a) { (void)a; struct S$k v = { 1, 2 }; s$k = v; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f$k, 0); struct S$k w = { 3, 4 }; ⟨s$k = w;¦w = s$k;¦⟩ pthread_join(t, 0); acc++;",
    ),
    with(
        "static _Atomic int n$k; static int d$k; static void *f$k(void *a) { (void)a; ⟨n$k++;¦atomic_fetch_add(&n$k, 2);¦atomic_store(&n$k, 5);¦__sync_fetch_and_add((int *)&n$k, 1);¦d$k++;⟩ return 0; }",
        "pthread_t t, u; pthread_create(&t, 0, f$k, 0); ⟨pthread_create(&u, 0, f$k, 0); pthread_join(u, 0);¦n$k = 3;¦acc += (n$k == 77);¦d$k = 4;⟩ pthread_join(t, 0); acc += (d$k == 77);",
    ),
    with(
        "static int a$k[4]; struct A$k { int from, to; }; static void *f$k(void *p) { struct A$k *r = p; for (int i = r->from; i < r->to; i++) a$k[i] = i; return 0; }",
        "struct A$k r = { 0, 2 }, q = { ⟨2¦1¦2⟩, 4 }; pthread_t t, u; pthread_create(&t, 0, f$k, &r); pthread_create(&u, 0, f$k, &q); ⟨¦r.to = 2;¦acc += (q.from == 77);⟩ pthread_join(t, 0); pthread_join(u, 0); acc += a$k[3];",
    ),
    with(
        "static int *p$k; static void *f$k(void *a) { (void)a; ⟨*p$k = 2;¦*p$k += 1;¦p$k = 0;⟩ return 0; }",
        "int x = 1, y = 2; p$k = ⟨&x¦&y⟩; pthread_t t; pthread_create(&t, 0, f$k, 0); ⟨x = 5;¦acc += (y == 77);¦p$k = &y;¦⟩ pthread_join(t, 0); acc += (y == 77);",
    ),
    with(
        "struct B$k { ⟨int a : 3; int b : 5;¦int a : 3; int : 0; int b : 5;¦char a; char b;⟩ }; static struct B$k b$k; static void *f$k(void *x) { (void)x; b$k.a = 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f$k, 0); b$k.⟨a¦b¦b⟩ = 2; pthread_join(t, 0); acc += (b$k.b == 77) + 1;",
    ),
    with(
        "static int v$k; static pthread_rwlock_t l$k = PTHREAD_RWLOCK_INITIALIZER; static void *f$k(void *x) { (void)x; pthread_rwlock_⟨rd¦rd¦wr⟩lock(&l$k); int r = v$k; ⟨v$k = r + 1;¦⟩ pthread_rwlock_unlock(&l$k); return 0; }",
        "pthread_t t, u; pthread_create(&t, 0, f$k, 0); pthread_create(&u, 0, f$k, 0); ⟨pthread_rwlock_wrlock(&l$k); v$k = 5; pthread_rwlock_unlock(&l$k);¦¦acc += (v$k == 77);⟩ pthread_join(t, 0); pthread_join(u, 0); acc++;",
    ),
    with(
        "static int *q$k; static void *f$k(void *x) { int *p = x; *p = 4; ⟨free(p);¦q$k = p;¦⟩ return 0; }",
        "int *p = malloc(sizeof *p); *p = 1; pthread_t t; pthread_create(&t, 0, f$k, p); ⟨*p = 2;¦¦acc += (*p == 77);⟩ pthread_join(t, 0); ⟨q$k = 0;¦⟩ acc++;",
    ),
    with(
        "static int w$k; static sem_t s$k; static void *f$k(void *x) { (void)x; ⟨w$k = 1; sem_post(&s$k);¦sem_post(&s$k); w$k = 1;⟩ return 0; }",
        "sem_init(&s$k, 0, 0); pthread_t t; pthread_create(&t, 0, f$k, 0); sem_wait(&s$k); acc += (w$k == 77); pthread_join(t, 0);",
    ),
    with(
        "static _Thread_local int l$k; static __thread int k$k; static int n$k; static void *f$k(void *x) { (void)x; l$k++; k$k = 2; ⟨n$k = l$k;¦⟩ return 0; }",
        "pthread_t t; l$k = 5; pthread_create(&t, 0, f$k, 0); l$k++; k$k++; ⟨n$k = 1;¦⟩ pthread_join(t, 0); acc += l$k + k$k;",
    ),
    with(
        "static int o$k; static pthread_mutex_t a$k = PTHREAD_MUTEX_INITIALIZER, b$k = PTHREAD_MUTEX_INITIALIZER; static void *f$k(void *x) { pthread_mutex_t *m = x; pthread_mutex_lock(m); o$k = 1; pthread_mutex_unlock(m); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f$k, ⟨&a$k¦&b$k⟩); pthread_mutex_lock(&a$k); o$k = 2; pthread_mutex_unlock(&a$k); pthread_join(t, 0); acc++;",
    ),
    with(
        "static int r$k; static void *f$k(void *x) { r$k = ⟨3¦(int)(long)x⟩; return x; } static int once$k(void) { return ⟨r$k¦0⟩; }",
        "pthread_t t; void *v = 0; pthread_create(&t, 0, f$k, (void *)4L); int e = once$k(); ⟨pthread_join(t, &v); acc += r$k + (int)(long)v;¦acc += (e == 77); pthread_join(t, 0);¦pthread_join(t, &v); acc += v == (void *)4L;⟩",
    ),
    with(
        "static void (*cb$k)(void); static int c$k; static void inc$k(void) { c$k++; } static void none$k(void) { } static void *f$k(void *x) { (void)x; cb$k(); return 0; }",
        "cb$k = ⟨inc$k¦none$k¦inc$k⟩; pthread_t t; pthread_create(&t, 0, f$k, 0); ⟨c$k = 4;¦acc += (c$k == 77);¦⟩ pthread_join(t, 0); acc++;",
    ),
];
