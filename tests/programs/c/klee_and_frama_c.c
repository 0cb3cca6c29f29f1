// expect: true
// data-model: LP64
extern void __VERIFIER_assert(int); int klee_range(int, int, const char *); void klee_make_symbolic(void *, unsigned long, const char *); void klee_assume(unsigned long);
int Frama_C_interval(int, int);
int main(void){ int x; klee_make_symbolic(&x, sizeof x, "x"); klee_assume(x > 0); int y = klee_range(1, 5, "y"); __VERIFIER_assert(x >= 1 && y < 5 && y > 0); int z = Frama_C_interval(-3, 3); __VERIFIER_assert(z >= -3 && z <= 3); return 0; }
