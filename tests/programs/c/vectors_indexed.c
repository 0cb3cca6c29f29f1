// expect: true
// A subscript that is known only at run time.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  v4si a = {10, 11, 12, 13};
  a[i] += 1;
  if (a[i] != 11 + i) reach_error();
  return 0;
}
