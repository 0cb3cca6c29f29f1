// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int bound(void) {
  int n = input();
  if (n < 0 || n > 1000) abort();
  return n;
}
int main(void) {
  int lo = 0, hi = bound(), n = hi;
  while (lo < hi) lo++;
  if (lo != n) reach_error();
}
