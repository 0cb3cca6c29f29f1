// LP64 only, words only
typedef __int128 i; typedef unsigned __int128 u;
int main(void) {
#ifdef __SIZEOF_INT128__
  volatile long long a = -9000000000000000000LL; i x = (i)a * 1000; CHK((long long)(x / 1000) == a); CHK((long long)(x >> 64)); double d = (double)x; CHK(d == -9e21); CHK((i)d == x); float fl = (float)(u)-1; CHK(fl > 3e38f); CHK((long long)(u)1e20 ); CHK((unsigned long long)((u)1e20 >> 64)); u y = -1; CHK((double)y == 340282366920938463463374607431768211456.0); x += 0.5; CHK((long long)x);
#endif
  CHK(1); return 0;
}
