// expect: true
// data-model: LP64
#include <assert.h>
#include <stdbit.h>
#include <stddef.h>
int main(void) {
  unsigned x = 40;
  unsigned char c = 0xf0;
  assert(stdc_count_ones(x) == 2 && stdc_count_zeros(x) == 30 && stdc_count_zeros(c) == 4);
  assert(stdc_leading_zeros(x) == 26 && stdc_leading_zeros(c) == 0 && stdc_leading_ones(c) == 4);
  assert(stdc_trailing_zeros_ui(x) == 3 && stdc_trailing_ones_ull(7) == 3 && stdc_leading_zeros_uc(0) == 8);
  assert(stdc_first_leading_one(x) == 27 && stdc_first_trailing_one(x) == 4 && stdc_first_trailing_zero(x) == 1);
  assert(stdc_first_leading_zero(c) == 5 && stdc_first_leading_one_us(0) == 0);
  assert(stdc_bit_width(x) == 6 && stdc_bit_floor(x) == 32 && stdc_bit_ceil(x) == 64 && stdc_bit_ceil_ul(64) == 64);
  assert(!stdc_has_single_bit(x) && stdc_has_single_bit_uc(16));
  nullptr_t n = nullptr;
  int *p = n;
  assert(!p);
  return 0;
}
