// Vectors of floating numbers (words only).
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef int v4si __attribute__((vector_size(16)));
typedef long long v2di __attribute__((vector_size(16)));
typedef int v2si __attribute__((vector_size(8)));
int main(void) {
  v4sf a = {1.5f, -2.0f, 0.25f, 8.0f}, b = {2, 4, 8, 16}, c;
  c = a * b + 1.0f; CHK(c[0] == 4.0f); CHK(c[1]); CHK(c[2]); CHK(c[3]);
  c = b / 4; CHK(c[3]); c = -a; CHK(c[1]);
  v4si m = a < b; CHK(m[0]); CHK(m[3]); m = a == a; CHK(m[2]);
  v2df d = {1.5, 2.5}; d = d + d; CHK(d[0]); CHK(d[1]); v2di n = d > 4.0; CHK(n[0]); CHK(n[1]);
  v2si i = __builtin_convertvector(d, v2si); CHK(i[0]); CHK(i[1]);
  v4sf f = __builtin_convertvector((v4si){1, 2, 3, 4}, v4sf); CHK(f[3] * 2);
  v4si bits = (v4si)a; CHK(bits[0]); CHK(bits[1]);
  a[2] = 9; CHK(a[2]); a += b; CHK(a[0]);
  return 0;
}
