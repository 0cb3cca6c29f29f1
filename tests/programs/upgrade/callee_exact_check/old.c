// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int inc(int x) { return x + 1; }
int main(void) {
  if (inc(0) != 1) reach_error();
}
