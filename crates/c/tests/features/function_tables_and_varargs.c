// words only
#include <stdarg.h>
#include <stdlib.h>
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; } static int mul(int a, int b) { return a * b; }
static op table[] = { add, sub, [3] = mul };
struct vt { op f; int (*g)(const struct vt *, int); const char *name; };
static int g1(const struct vt *v, int x) { return v->f(x, 10); }
static const struct vt vts[2] = { { add, g1, "add" }, { .name = "mul", .g = g1, .f = &mul } };
static op pick(int i) { return i ? sub : add; }
static int (*(*deep)(int))(int, int) = pick;
static int apply(op f, int n, ...) { va_list ap; va_start(ap, n); int r = va_arg(ap, int); while (--n) r = f(r, va_arg(ap, int)); va_end(ap); return r; }
static long long vsum(const char *fmt, va_list ap) { long long s = 0; for (; *fmt; fmt++) switch (*fmt) { case 'i': s += va_arg(ap, int); break; case 'l': s += va_arg(ap, long long); break; case 'd': s += (long long)va_arg(ap, double); break; case 's': s += va_arg(ap, char *)[0]; break; case 'u': s += va_arg(ap, unsigned); } return s; }
static long long sum(const char *fmt, ...) { va_list ap, ap2; va_start(ap, fmt); va_copy(ap2, ap); long long r = vsum(fmt, ap); r = r * 3 + vsum(fmt, ap2); va_end(ap2); va_end(ap); return r; }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int fib(int n) { static int calls; calls++; if (n < 2) return calls; int first = fib(n - 1); return first + fib(n - 2); }
int main(void) {
  CHK(table[0](3, 4)); CHK((*table[1])(3, 4)); CHK(table[2] == 0); CHK(table[3](3, 4)); CHK(vts[1].g(&vts[1], 5)); CHK(vts[0].g(vts, 5)); CHK(vts[1].name[1]);
  CHK(deep(1)(9, 2)); CHK((**deep)(0)(9, 2)); CHK(apply(add, 4, 1, 2, 3, 4)); CHK(apply(sub, 3, 10, 2, 3)); CHK(pick(1) == sub); CHK(pick(0) != sub);
  CHK(sum("ilds", -3, 1LL << 40, 2.75, "A")); CHK(sum("")); CHK(sum("iu", (char)-1, (unsigned char)200)); CHK(sum("d", 1.5f));
  int a[6] = { 5, 3, 9, -1, 4, 0 }; CHK(fib(6));
  op *po = table + 1; CHK(po[0](1, 1)); CHK(po[-1](1, 1)); void (*vf)(void) = (void (*)(void))mul; CHK(((op)vf)(6, 7));
  op f = a[0] > 3 ? add : mul; CHK(f(2, 5)); f = 0; CHK(!f); CHK(sizeof(f) == sizeof(void *));
  return 0;
}
