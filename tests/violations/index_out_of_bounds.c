// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int table[10];

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 10) return 0;
  table[i] = 5;
  return 0;
}
