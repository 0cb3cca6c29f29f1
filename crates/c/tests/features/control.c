static int sw(int x) { int r = 0; switch (x) { case 1: r += 1; case 2: r += 2; break; default: r += 100; case 5 ... 8: r += 5; if (x == 7) break; r += 50; case -3: r -= 3; } return r; }
static int duff(int n) { int c = 0, k = (n + 3) / 4; switch (n % 4) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while (--k > 0); } return c; }
static int into(int n) { int i = 0, s = 0; if (n > 2) goto inside; for (i = 0; i < 5; i++) { s += i; inside: s += 10; if (s > 40) goto out; } s += 1000; out: return s; }
static int cg(int n) { static void *t[] = { &&a, &&b, &&c }; int r = 0; goto *t[n]; a: r += 1; b: r += 10; if (r == 11) return r; goto *t[2]; c: return r + 100; }
static int blk(void) { int r = 0; for (int i = 0; i < 3; i++) { int x; if (i == 0) x = 5; else x = i; { static int k = 3; k += x; r = r * 10 + k; } } return r; }
static unsigned long long sl(unsigned long long v) { switch (v) { case 0x100000000ULL: return 1; case 0: return 2; case -1: return 3; } return 4; }
static int swc(char c) { switch (c) { case 'a': return 1; case -1: return 2; case 255: return 3; } return 0; }
static int nest(int n) { int r = 0; for (;;) { switch (n--) { case 0: goto done; case 1: continue; case 2: break; default: r++; continue; } r += 100; } done: return r; }
static int wh(void) { int i = 10, c = 0; while (i --> 0) { if (i & 1) continue; do { c++; if (c % 3 == 0) break; } while (c % 5); } return c * 100 + i; }
int main(void) {
  for (int i = -4; i < 10; i++) CHK(sw(i)); for (int i = 1; i < 9; i++) CHK(duff(i)); CHK(into(0)); CHK(into(3)); for (int i = 0; i < 3; i++) CHK(cg(i)); CHK(blk()); CHK(blk());
  CHK(sl(1ULL << 32)); CHK(sl(0)); CHK(sl(~0ULL)); CHK(sl(5)); CHK(swc('a')); CHK(swc(-1)); CHK(swc(255)); for (int i = 0; i < 6; i++) CHK(nest(i)); CHK(wh());
  int i = 0; L: i++; if (i < 5) goto L; CHK(i); { goto X; { X: CHK(7); } } 
  int v = ({ int q = 0; for (int j = 0; j < 4; j++) { if (j == 2) break; q += j + 1; } q; }); CHK(v);
  CHK(({ 1; 2; }) + ({ int i = 5; i; })); int z = 0; CHK(z ?: 9); CHK(3 ?: z++); CHK(z++ ?: z); CHK((z, z + 1)); int y = 1; y += z++ ? 5 : 2; CHK(y > 0);
  if (z) ; else CHK(1); for (int a = 0, b = 10; a < b; a++, b--) if (a == 3) CHK(b); switch (3) { int w; case 3: w = 8; CHK(w); } 
  return 0;
}
