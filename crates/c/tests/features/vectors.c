// GNU vectors: arithmetic, masks, subscripts, initialisers, casts, parameters (words only).
typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4ui __attribute__((__vector_size__(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef signed char v16qi __attribute__((vector_size(16)));
typedef unsigned char v4qu __attribute__((vector_size(4)));
typedef long long v2di __attribute__((vector_size(2 * sizeof(long long))));
struct pair { char c; v4si v; };
union view { v4si v; int i[4]; short s[8]; };
v4si global = {1, 2, 3, 4};
static v4si zero;
v4si table[2] = {{1, 2, 3, 4}, {5, 6}};
static v4si twice(v4si v) { return v * 2; }
static int sum(v4si v) { return v[0] + v[1] + v[2] + v[3]; }
static void bump(v4si *v) { *v += 1; (*v)[2] = 40; }
static int calls;
static v4si counted(void) { calls++; return (v4si){1, 2, 3, 4}; }
int main(void) {
  v4si a = {1, -2, 3, 4}, b = {10, 20, 30, 40}, c;
  c = a + b; CHK(c[0]); CHK(c[1]); CHK(c[2]); CHK(c[3]);
  c = a - b * 2 + 1; CHK(c[0]); CHK(c[1]); CHK(sum(c));
  c = b / a; CHK(c[1]); c = b % (a + 5); CHK(sum(c));
  c = (a & b) | (a ^ 7); CHK(sum(c));
  c = a << 2; CHK(sum(c)); c = b >> (v4si){1, 2, 3, 4}; CHK(sum(c));
  c = 100 - a; CHK(sum(c));
  c = a < b; CHK(c[0]); c = a > 0; CHK(c[0]); CHK(c[1]); c = a == b; CHK(c[0]); c = a != a; CHK(c[2]);
  c = -a; CHK(sum(c)); c = ~a; CHK(sum(c)); c = +a; CHK(sum(c));
  CHK(sum(twice(a))); CHK(sum(counted() + counted())); CHK(calls);
  c = a; c += b; CHK(sum(c)); c -= 1; CHK(sum(c)); c <<= 1; CHK(sum(c)); c |= a; CHK(sum(c));
  c++; CHK(c[0]); CHK((c--)[0]); CHK(c[0]); --c; CHK(c[1]);
  bump(&c); CHK(c[2]); CHK(c[3]);
  int i; for (i = 0; i < 4; i++) c[i] = i * i;
  CHK(sum(c)); i = 3; CHK(c[i]); CHK(b[i - 1]);
  CHK(sizeof(v4si)); CHK(_Alignof(v4si)); CHK(sizeof(struct pair)); CHK(sizeof(v4qu)); CHK(__alignof__(v2di));
  CHK(sum(global)); CHK(sum(zero)); CHK(table[1][1]); CHK(table[1][3]);
  struct pair p = {'x', {9, 8, 7, 6}}; struct pair q = p; CHK(q.v[1]); q.v = q.v + p.v; CHK(sum(q.v));
  union view u; u.v = (v4si){0x10002, 3, 4, 5}; CHK(u.i[0]); CHK(u.s[0]); CHK(u.s[1]); CHK(u.s[2]); u.i[3] = -1; CHK(u.v[3]);
  v4ui w = (v4ui)a; CHK(w[1] == 4294967294u); w = w >> 31; CHK(w[1]);
  v8hi h = (v8hi)b; CHK(h[0]); CHK(h[2]); CHK(h[1]);
  v16qi s = {100, 100, 1}; s = s + s; CHK(s[0]); CHK(s[2]); CHK(s[5]);
  v4qu x = {200, 1, 2, 3}; x = x + x; CHK(x[0]); x = x * 3; CHK(x[0]);
  unsigned packed = (unsigned)x; CHK(packed);
  v4qu y = (v4qu)0x01020304; CHK(y[0]); CHK(y[3]);
  v2di d = {1, -1}; d = d << 40; CHK(d[0]); CHK(d[1]); d = d > 0; CHK(d[0]); CHK(sizeof d[0]);
  v4si m = {3, 2, 1, 0}; c = __builtin_shuffle(a, m); CHK(c[0]); CHK(c[3]);
  c = __builtin_shuffle(a, b, (v4si){0, 4, 5, 1}); CHK(c[1]); CHK(sum(c));
  m[0] = a[0]; c = __builtin_shuffle(a, m); CHK(c[0]);
  c = __builtin_shufflevector(a, b, 0, 5, 2, 7); CHK(sum(c));
  v4si *ptr = &table[0]; CHK(ptr[1][0]); CHK((*ptr)[3]);
  c = (v4si){1, 2}; CHK(sum(c)); const v4si k = {1, 1, 1, 1}; CHK(sum(k + k));
  int plain __attribute__((vector_size(8))) = {5, 6}; CHK(plain[1]);
  return 0;
}
