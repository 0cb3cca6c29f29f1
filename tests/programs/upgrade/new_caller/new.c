// expect: true
// A new function calls it as well: its contract, and one that is interpolated for the caller, are a proof.
extern void reach_error(void);
extern int input(void);
int total;
int clamp(int x) { if (x < 0) return 0; if (x > 100) return 100; return x; }
void add(int x) { int y = clamp(x); if (y < 0) reach_error(); total = total + y; }
int twice(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += 2;
  return s;
}
int more(int m) { return twice(clamp(m)); }
int main(void) {
  int k = input(); if (k < 0 || k > 1000) return 0;
  for (int i = 0; i < k; i++) { add(input()); }
  if (total < 0) reach_error();
  if (more(input()) < 0) reach_error();
  int n = clamp(input());
  if (twice(n) != 2 * n) reach_error();
  return 0;
}
