// words only
#include <stdbool.h>
#include <stdalign.h>
#include <stdatomic.h>
typedef int T; typedef T A3[3];
int kr(a, b, c) int a; char b; float c; { return a + b + (int)c; }
kr2(x) { return x + 1; }
#define max(a, b) ({ __typeof__(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define tname(x) _Generic((x), int: 1, unsigned: 2, char: 3, long: 4, double: 5, char *: 6, const char *: 7, default: 9)
#define cont(p, t, m) ((t *)((char *)(p) - __builtin_offsetof(t, m)))
struct L { struct L *n; }; struct N { int v; struct L l; };
struct flex { int n; int d[]; };
struct __attribute__((packed)) pk { char a; int b; short c; }; struct al { char a; int b __attribute__((aligned(8))); }; typedef int v4 __attribute__((aligned(16)));
_Static_assert(sizeof(struct pk) == 7, "packed"); 
static _Atomic int at = 3; static atomic_int at2; extern int later; int later = 4; static int tent; static int tent; 
inline static int inl(int x) { return x * 2; } static int noret(void) __attribute__((noinline, unused)); static int noret(void) { return 3; }
static int (*arrp(void))[3]; static A3 a3 = { 1, 2, 3 }; static int (*arrp(void))[3] { return &a3; }
int old(); int old(int x) { return x; } static int vla(int n, int a[n][n]) { return a[n - 1][n - 1] + sizeof(a[0]); } static int st(int a[static 2]) { return a[1]; } static int rs(int *restrict p, const volatile int *q) { *p = 3; return *q; }
static int nested_struct(void) { struct X { struct Y { int z; } y; } x = { { 4 } }; struct Y w = x.y; return w.z; }
__extension__ typedef struct { int __attribute__((unused)) q; } Q; enum e { e1, e2 = 1 << 4, e3 }; 
int main(int argc, char **argv) {
  CHK(kr(1, 'b', 2.5)); CHK(kr2(4)); int i = 3; CHK(max(i++, 2)); CHK(i); CHK(tname(i)); CHK(tname(1u)); CHK(tname((char)1)); CHK(tname('a')); CHK(tname(1.0)); CHK(tname("s")); CHK(tname((const char *)0)); CHK(tname(1LL)); CHK(tname(&i));
  struct N n = { 5, { 0 } }; struct L *l = &n.l; CHK(cont(l, struct N, l)->v); T T = 4; CHK(T * 2); { typedef char T; CHK(sizeof(T)); } CHK(sizeof(A3)); CHK(sizeof(struct al)); CHK(alignof(v4)); CHK(_Alignof(struct al)); struct pk p = { 1, -2, 3 }; p.b *= 5; CHK(p.b); CHK(p.c); CHK((char *)&p.c - (char *)&p);
  at++; CHK(at); at += 5; CHK(at--); CHK(atomic_fetch_add(&at2, 4)); CHK(atomic_load(&at2)); int ex = 4; CHK(atomic_compare_exchange_strong(&at2, &ex, 9)); CHK(at2); CHK(__sync_fetch_and_add(&i, 2)); CHK(i); CHK(__atomic_add_fetch(&i, 1, __ATOMIC_SEQ_CST)); CHK(__sync_bool_compare_and_swap(&i, 7, 1)); CHK(i); CHK(__sync_val_compare_and_swap(&i, 1, 8)); CHK(atomic_exchange(&at2, 1)); CHK(__atomic_exchange_n(&i, 2, 5)); CHK(i);
  CHK(inl(4) + noret() + later + tent); CHK((*arrp())[1]); CHK(old(3)); int m[2][2] = { 1, 2, 3, 4 }; CHK(vla(2, m)); CHK(st(m[0])); CHK(rs(&i, &i)); CHK(nested_struct()); CHK(e3); bool b = 3; CHK(b + true); CHK(sizeof(struct flex)); CHK(__func__[1]); CHK(sizeof __func__); CHK(__LINE__ > 5); 
  const int cc = 4; int z[cc]; CHK(sizeof z); auto int au = 3; register int re = 4; CHK(au + re); typeof(int *) ip = &i; CHK(*ip); __auto_type at3 = 3.5; CHK((int)(at3 * 2));  CHK(__extension__ 3); CHK(0b1011); CHK('\e'); CHK("\x41\102"[1]); CHK(sizeof(void)); void *vp = &i; vp++; CHK((char *)vp - (char *)&i); CHK(sizeof(main)); int x1 = 0, *const xp = &x1; *xp = 3; CHK(x1); CHK(1 == 1 == 1); CHK(-1 >> 1); CHK(1 << 2 + 1); CHK(5 & 3 == 3); CHK((i = 5, i) ); CHK(i-- - 3 > -9); 
  struct flex *f = __builtin_alloca(sizeof *f + 3 * sizeof(int)); f->n = 3; f->d[2] = 8; CHK(f->d[2]); int (*fp)(int) = inl; CHK((*fp)(2) + fp(3)); CHK(__builtin_strlen("abc")); CHK(argc >= 0);
  return 0;
}
