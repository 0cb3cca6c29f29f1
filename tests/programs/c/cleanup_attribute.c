// expect: true
// The function of attribute cleanup runs whenever control leaves the scope, after the result is computed.
extern void reach_error(void);
static int log_[8], n;
static void note(int *p) { log_[n++] = *p; }
static int f(int early) {
  __attribute__((cleanup(note))) int a = 1;
  for (int i = 0; i < 2; i++) {
    int b __attribute__((cleanup(note))) = 10 + i;
    if (i == 0) continue;
    if (early) return a + b;
  }
  a = 5;
  return a;
}
int main(void) {
  if (f(1) != 12 || n != 3 || log_[0] != 10 || log_[1] != 11 || log_[2] != 1) reach_error();
  n = 0;
  if (f(0) != 5 || n != 3 || log_[2] != 5) reach_error();
  return 0;
}
