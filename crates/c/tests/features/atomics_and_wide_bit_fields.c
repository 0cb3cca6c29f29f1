#include <stdatomic.h>
struct F { unsigned low : 5; int mid : 9; unsigned long long wide : 40; long long sw : 35; };
int main(void) {
  int i = 12; unsigned char b = 250; long long l = 1;
  CHK(__sync_fetch_and_add(&i, 3)); CHK(i); CHK(__sync_fetch_and_sub(&i, 1)); CHK(i); CHK(__sync_fetch_and_or(&i, 16)); CHK(i); CHK(__sync_fetch_and_and(&i, 6)); CHK(i); CHK(__sync_fetch_and_xor(&i, 5)); CHK(i); CHK(__sync_fetch_and_nand(&i, 3)); CHK(i);
  CHK(__sync_add_and_fetch(&i, 30)); CHK(__sync_sub_and_fetch(&i, 2)); CHK(__sync_or_and_fetch(&i, 64)); CHK(__sync_and_and_fetch(&i, 0x5f)); CHK(__sync_xor_and_fetch(&i, 3)); CHK(__sync_nand_and_fetch(&i, 7)); CHK(i);
  CHK(__atomic_fetch_add(&b, 10, 5)); CHK(b); CHK(__atomic_fetch_and(&b, 6, 5)); CHK(b); CHK(__atomic_and_fetch(&b, 3, 5)); CHK(__atomic_or_fetch(&b, 8, 5)); CHK(__atomic_nand_fetch(&b, 2, 5)); CHK(__atomic_fetch_nand(&b, 2, 5)); CHK(b); CHK(__atomic_fetch_xor(&l, -1, 5)); CHK(l); CHK(__atomic_sub_fetch(&l, 5, 5)); CHK(__atomic_fetch_or(&l, 1, 5)); CHK(l);
  CHK(__atomic_load_n(&i, 5)); __atomic_store_n(&i, 9, 5); CHK(i); CHK(__atomic_exchange_n(&i, 10, 5)); int e = 10; CHK(__atomic_compare_exchange_n(&i, &e, 11, 0, 5, 5)); CHK(__atomic_compare_exchange_n(&i, &e, 12, 0, 5, 5)); CHK(e); CHK(i); char f = 0; CHK(__atomic_test_and_set(&f, 5)); CHK(__atomic_test_and_set(&f, 5)); __atomic_clear(&f, 5); CHK(f); __sync_synchronize();
  atomic_int a = 5; CHK(atomic_fetch_sub(&a, 2)); CHK(atomic_fetch_or(&a, 8)); CHK(atomic_fetch_and(&a, 9)); CHK(atomic_fetch_xor(&a, 2)); CHK(a); a *= 3; CHK(a); CHK(a++ * 10); CHK(++a); a -= 4; CHK(a); a = a / 2; CHK(a); CHK(a << 2);
  struct F s = { 3, -4, (1ull << 40) - 1, -(1ll << 34) };
  CHK((unsigned)s.low - 262); CHK((long long)((unsigned)s.low - 262)); CHK(s.low - 4 < 0); CHK((unsigned)s.low - 4 < 0); CHK((s.wide + 1)); CHK((unsigned long long)s.wide + 1); CHK(s.wide << 1); CHK(s.wide * 2 > s.wide); CHK(~s.wide); CHK(-s.wide); CHK(s.wide + 1u); CHK(s.wide + 1ll); CHK(s.sw - 1 < 0); CHK(s.wide > -1); CHK(s.sw < 0u); CHK(sizeof(s.wide + 1)); CHK((s.wide + 1) >> 1); CHK(s.wide ? 1 : 2); CHK((1 ? s.wide : 0) + 1); s.wide++; CHK(s.wide); s.wide -= 2; CHK(s.wide); s.wide *= 3; CHK(s.wide); s.sw = s.wide; CHK(s.sw); s.sw >>= 3; CHK(s.sw); s.wide <<= 20; CHK(s.wide); s.wide = (s.wide >> 35) + s.low; CHK(s.wide); CHK(s.mid * s.low); CHK((s.low = 37) - 6 < 0); CHK(s.low++ - 6 < 0); CHK(++s.low - 70u > 0); CHK((0, s.low) - 8 < 0);
  return 0;
}
