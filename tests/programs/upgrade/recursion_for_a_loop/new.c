// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int bound(void) {
  int n = input();
  if (n < 0 || n > 1000) abort();
  return n;
}
void g(int n);
void f(int n) { if (n > 0) g(n); }
void g(int n) { f(n); }
int main(void) { f(bound()); }
