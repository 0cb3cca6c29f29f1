// expect: true
// The two variables exchange their names.
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int bound(void) {
  int n = input();
  if (n < 0 || n > 1000) abort();
  return n;
}
int main(void) {
  int hi = 0, lo = bound(), n = lo;
  while (hi < lo) hi++;
  if (hi != n) reach_error();
}
