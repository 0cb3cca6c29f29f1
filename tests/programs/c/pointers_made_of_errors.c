// expect: true
// Small negative numbers as pointers: no object lies in the last page.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static void *ERR_PTR(long error) { return (void *)error; }
static long PTR_ERR(const void *p) { return (long)p; }
static int IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }
static int object = 4;
static int *get(int k) { return k < 0 ? ERR_PTR(k) : &object; }
int main(void) {
  int k = __VERIFIER_nondet_int();
  __VERIFIER_assume(k >= -4095 && k <= 0);
  int *p = get(k);
  if (IS_ERR(p)) {
    if (k >= 0 || PTR_ERR(p) != k) reach_error();
  } else {
    if (k != 0 || *p != 4) reach_error();
  }
  return 0;
}
