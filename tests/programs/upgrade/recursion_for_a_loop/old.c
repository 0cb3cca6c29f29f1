// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int bound(void) {
  int n = input();
  if (n < 0 || n > 1000) abort();
  return n;
}
void f(int n) {
  while (n > 0) n--;
  if (n > 0) reach_error();
}
int main(void) { f(bound()); }
