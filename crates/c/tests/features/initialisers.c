struct I { int a, b; }; struct O { struct I i[2]; int n; char s[4]; union { int u; char c; } w; int *p; struct { int x, y; }; };
static struct O g = { 1, 2, 3, .n = 4, "xyz", { 5 }, &g.n, { 6, 7 } };
static struct O h = { .i[1].b = 9, .i[0] = { .b = 8 }, .s = { [2] = 'q' }, .w.c = 'c', .y = 3 };
static int m[][3] = { 1, 2, 3, 4, { 5 }, [4] = { [1] = 7, 8 }, 9 };
static char t[] = "hey", t2[2] = "ab", t3[10] = { "brace" }, *ps = "ptr"; static char tt[3][4] = { "abc", "de", { 'f' } };
static int r[10] = { [2 ... 5] = 3, [4] = 1, 2 };
static struct I arr[] = { [1] = { 1 }, [0].b = 2, 3, 4 , 5 };
static struct { char c; struct I in; int tail[]; } fl = { 'a', { 1, 2 } };
static const struct I *cl = &(struct I){ 11, 12 }; static int *ca = (int[]){ 1, 2, 3 };
enum { A = 5, B, C = B * 2, D = -1, E };
static int sumI(struct I x) { return x.a * 10 + x.b; } static int first(const int *p, int n) { return p[n - 1]; } static struct I mk(int a) { return (struct I){ .b = a }; }
int main(void) {
  CHK(g.i[0].b); CHK(g.i[1].a); CHK(g.i[1].b); CHK(g.n); CHK(g.s[3]); CHK(g.w.c); CHK(*g.p); CHK(g.x); CHK(g.y);
  CHK(h.i[0].a); CHK(h.i[0].b); CHK(h.i[1].b); CHK(h.s[2]); CHK(h.w.c); CHK(h.x); CHK(h.y); CHK(h.p == 0);
  CHK(sizeof m / sizeof m[0]); CHK(m[1][0]); CHK(m[2][0]); CHK(m[4][2]); CHK(m[5][0]); CHK(m[3][1]); CHK(sizeof t); CHK(t2[1]); CHK(t3[4]); CHK(t3[9]); CHK(ps[1]); CHK(tt[0][2]); CHK(tt[1][2]); CHK(tt[2][1]);
  for (int i = 0; i < 10; i++) CHK(r[i]); CHK(sizeof arr / sizeof *arr); CHK(arr[0].b); CHK(arr[1].a); CHK(arr[1].b); CHK(arr[2].a); CHK(cl->b); CHK(ca[2]); CHK(fl.in.b); CHK(sizeof fl);
  CHK(B + C + D + E); CHK(sumI((struct I){ 3, 4 })); CHK(first((int[]){ 7, 8, 9 }, 3)); CHK(mk(6).b); CHK(mk(6).a); CHK((&(struct I){ 1, 2 })->b); CHK(((int[3]){ 1 })[2]); CHK("abc"[1]); CHK(*"z");
  struct O l = { { { 1 }, [1].b = 2 }, .s = "ab" }; CHK(l.i[1].b); CHK(l.n); CHK(l.s[1]); CHK(l.p == 0); CHK(l.y); struct O l2 = l, *pl = &l2; l2.i[0].a++; CHK(l.i[0].a); CHK(pl->i[0].a); *pl = (struct O){ .n = 3 }; CHK(l2.n); CHK(l2.i[1].b);
  int n = 4; int v[n]; for (int i = 0; i < n; i++) v[i] = i * i; CHK(v[3]); CHK(sizeof v / sizeof v[0]); int vv[n][n + 1]; vv[3][4] = 5; vv[2][4] = 6; CHK(vv[3][4] + vv[2][4]); CHK(sizeof vv); CHK(sizeof vv[0]);
  int k = 2; int dyn[3] = { k, k * k, mk(k).b }; CHK(dyn[1]); CHK(dyn[2]); int *q = (int[]){ k, k + 1 }; q[1]++; CHK(q[1]); for (int i = 0; i < 2; i++) { struct I z = { i }; CHK(z.a + z.b); z.b = 9; }
  return 0;
}
