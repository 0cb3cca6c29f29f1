// expect: false
// The last element is not the first one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -1000 || n > 1000) return 0;
  v4si a = {1, 2, 3, n}, b = a + 1;
  if (b[3] == 42) reach_error();
  return 0;
}
