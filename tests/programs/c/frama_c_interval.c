// expect: false(unreach-call)
extern void __VERIFIER_assert(int); int Frama_C_interval(int, int);
int main(void){ int z = Frama_C_interval(-3, 3); __VERIFIER_assert(z < 3); return 0; }
