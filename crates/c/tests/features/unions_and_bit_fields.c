// words only
union U { int i; unsigned u; unsigned char c[8]; short h[4]; float f; struct { unsigned a:3, b:7, :2, c:20; } bf; long long ll; double d; };
struct B { unsigned a:1; int b:3; unsigned :0; unsigned long long c:33; signed char d:4; _Bool e:1; short f; unsigned g:31; };
typedef union { struct { union U u; int n; } x; char raw[16]; } V;
static union U gu = { .h = { 1, 2, 3 } };
static struct B gb = { 1, -2, .d = 5, .e = 7, .g = -1 };
int main(void) {
  union U u; u.ll = 0x1122334455667788LL; CHK(u.c[0]); CHK(u.c[7]); CHK(u.h[1]); CHK(u.i); CHK(u.bf.a); CHK(u.bf.b); CHK(u.bf.c);
  u.f = 1.0f; CHK(u.i); CHK(u.c[3]); u.d = -2.5; CHK(u.ll); CHK(u.h[3]); u.c[7] = 0x40; CHK(u.d == 2.5);
  u.bf.b = 300; CHK(u.bf.b); CHK(u.u); u.bf.c--; CHK(u.bf.c); u.bf.a += 9; CHK(u.bf.a); CHK(u.c[0]);
  CHK(gu.ll); CHK(gu.c[2]);
  CHK(gb.a); CHK(gb.b); CHK(gb.c); CHK(gb.d); CHK(gb.e); CHK(gb.f); CHK(gb.g); CHK(sizeof gb);
  gb.c = ~0ull; CHK(gb.c); CHK(gb.c + 1); gb.b = 5; CHK(gb.b); CHK(gb.b++); CHK(gb.b); CHK(gb.e = 0); CHK(gb.d = 9); CHK(gb.a - 2 < 0);
  CHK((gb.g << 1) > 0); CHK(gb.g >> 4); CHK(-gb.a); CHK(~gb.a); CHK(gb.c << 1 > gb.c);
  V v; __builtin_memset(&v, 0x11, sizeof v); CHK(v.x.n); CHK(v.x.u.i); v.x.n = -1; 
  CHK(v.raw[sizeof(union U)]); CHK(v.raw[7]);
  unsigned char *p = (unsigned char *)&gb; unsigned sum = 0; gb.f = 0x1234; 
  CHK(*(short *)((char*)&gb.f)); 
  union { int a[2]; struct { short lo, hi; int z; } s; } w = { { 0x00010002, 5 } }; CHK(w.s.lo); CHK(w.s.hi); CHK(w.s.z); w.s.hi = -1; CHK(w.a[0]);
  int *ip = &w.a[1]; *ip = 99; CHK(w.s.z);
  union U arr[2] = { { 1 }, { .c = { 9, 8, 7, 6 } } }; CHK(arr[1].i); union U *up = arr; up++; up->h[0] = 3; CHK(arr[1].u); CHK((up - 1)->i);
  union U cp = *up; cp.c[1] = 0xff; CHK(cp.i); CHK(up->i);
  return 0;
}
