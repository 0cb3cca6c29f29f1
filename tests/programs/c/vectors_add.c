// expect: true
// Element by element, and a comparison gives masks.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int v4si __attribute__((vector_size(16)));
static v4si twice(v4si v) { return v + v; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -1000 || n > 1000) return 0;
  v4si a = {1, 2, 3, n}, b = twice(a), m = a < b;
  if (b[2] != 6 || b[3] != 2 * n) reach_error();
  if (m[0] != -1 || m[3] != (n > 0 ? -1 : 0)) reach_error();
  return 0;
}
