// property: no-invalid-shift
extern int __VERIFIER_nondet_int(void);

unsigned mask(int bits) {
  return (1u << bits) - 1;
}

int main(void) {
  int bits = __VERIFIER_nondet_int();
  if (bits < 0 || bits > 32) return 0;
  return mask(bits) != 0;
}
