// expect: true
// Only the callee changed.
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int inc(int x) { return x + 2; }
int main(void) {
  if (inc(0) < 1) reach_error();
}
