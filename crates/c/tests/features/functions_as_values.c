typedef int (*op)(int); static int f(int x) { return x + 1; } static int g(int x) { return x * 2; } static int h() { return 77; }
static op sel(int c) { return c ? f : g; } static op sel2(int c) { return c > 1 ? &f : c ? *g : 0; } static op cm(void) { return (f, g); } static op se(void) { return ({ f; }); }
static int twice(op p, int x) { return p(p(x)); } static int nop(void) { return 5; }
struct ops { op a[2]; union { op u; int (*v)(int); }; }; static struct ops o = { { f, g }, { f } };
static int rec(op p, int n) { return n ? rec(n & 1 ? g : p, n - 1) + p(n) : 0; }
int main(void) {
  CHK(sel(1)(5)); CHK(sel(0)(5)); CHK(sel2(2)(5)); CHK(sel2(1)(5)); CHK(sel2(0) == 0); CHK(cm()(5)); CHK(se()(5)); CHK(twice(1 ? g : f, 3)); op q = 0; CHK((q ?: g)(4)); q = f; CHK((q ?: g)(4)); CHK(o.a[1](3) + o.v(3)); CHK(rec(f, 4)); CHK((&f == f) + (*f == f)); CHK(f != g); CHK(((int (*)(int))h)(3)); int (*k)() = h; CHK(k()); k = nop; CHK(k()); op arr[] = { [1] = f, [0] = g }; op *pp = arr; CHK((*pp++)(10)); CHK((**pp)(10)); CHK(!f); CHK(f && g); CHK((f ? 3 : 4)); 
  int i = 0; CHK((i++ ? f : g)(4)); CHK(i); void *v = (void *)f; CHK(((op)v)(8)); 
  return 0;
}
