// words only
#include <math.h>
static double id(double d) { return d; }
int main(void) {
  volatile int i = -7; volatile unsigned u = 4000000000u; volatile long long ll = 9007199254740993LL; volatile unsigned long long ull = 18446744073709551615ULL; volatile double d = 3.99; volatile float f = -2.5f;
  CHK((int)d); CHK((int)f); CHK((unsigned char)d); CHK((double)u == 4000000000.0); CHK((float)u == 4e9f); CHK((long long)(double)ll); CHK((long long)(float)i); CHK((double)ull == 18446744073709551616.0); CHK((unsigned long long)(d * 1e15)); CHK((long long)(f * 1e9f));
  CHK(i / 2.0 == -3.5); CHK(i / 2 * 2.0f); CHK(d + i < 0); CHK((_Bool)0.3); CHK((_Bool)(d - d)); CHK(!d); CHK(d && f); CHK(d ? 1 : 2); CHK(-f == 2.5); CHK(f * f == 6.25f); CHK(0.1f == 0.1); CHK(0.1 + 0.2 == 0.3); CHK((float)(0.1 + 0.2) == 0.3f); CHK((int)(1e9 + 0.5)); 
  i += 2.9; CHK(i); i *= 1.5; CHK(i); u = 3.7; CHK(u); f = d; CHK(f == d); CHK((long long)(f * 1000000)); d = f; CHK(d == f); CHK((char)65.9); CHK((short)-32768.9); CHK((long long)1e18); CHK(sizeof(1.0f + 1)); CHK(sizeof(1.0f * 1.0));
  double z = 0.0, nz = -z; CHK(z == nz); CHK(1 / nz < 0); double inf = 1 / z, nan = z / z; CHK(nan != nan); CHK(nan < 1); CHK(!(nan >= 1)); CHK(inf > 1e308); CHK(isnan(nan)); CHK(isinf(-inf) != 0); CHK(inf - inf != 0); CHK(signbit(nz) != 0); CHK(isfinite(d)); 
  CHK(fabs(-2.5) == 2.5); CHK(floor(-2.5)); CHK(ceil(-2.5)); CHK(trunc(-2.7)); CHK(round(2.5)); CHK(round(-2.5)); CHK(rint(2.5)); CHK(sqrt(2.25) == 1.5); CHK(fmin(1, nan)); CHK(fmax(-1, 3)); CHK((int)copysign(3.0, -0.0));
  float s = 0; for (int k = 0; k < 10; k++) s += 0.1f; CHK(s == 1.0f); CHK((long long)(s * 1e9)); double acc = 1; for (int k = 0; k < 60; k++) acc /= 2; CHK(acc * 1152921504606846976.0 == 1); CHK(1e-320 > 0); CHK((float)1e-46 == 0); CHK((float)1e39 > 3e38f);
  CHK((int)id(7) / 2); CHK(id(3) / 2 == 1.5); CHK((unsigned)(id(-0.5) + 1.0)); CHK(5 % 3 + 0.5 == 2.5); CHK((long)(0x1.8p3)); CHK('a' + 0.5 > 97); CHK(16777217 == 16777216.0f); CHK((float)16777217); CHK(++d > 3); CHK((int)(d++ * 10)); CHK((int)(d * 10));
  return 0;
}
