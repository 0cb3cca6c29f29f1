// expect: true
// property: valid-memsafety
// A table that is computed, an index that is a byte of the checksum, a length that is not known.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned table[256];

int main(void) {
  unsigned char data[6];
  unsigned n = __VERIFIER_nondet_uint(), crc = 0xffffffffu;
  if (n > 6) return 0;
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  for (unsigned i = 0; i < n; i++) data[i] = __VERIFIER_nondet_uchar();
  for (unsigned i = 0; i < n; i++) crc = table[(crc ^ data[i]) & 0xff] ^ (crc >> 8);
  return crc == 0;
}
