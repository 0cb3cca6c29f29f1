// expect: true
// data-model: LP64
#include <assert.h>
#include <stdint.h>
int main(void) {
  assert(_Generic(__builtin_bswap64(1), uint64_t: 1, default: 0));
  assert(_Generic(__builtin_bswap64(1), unsigned long: 1, default: 0));
  assert(__builtin_bswap64(0x0102030405060708u) == 0x0807060504030201u);
  return 0;
}
