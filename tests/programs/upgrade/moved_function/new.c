// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int twice(int x);
int main(void) {
  if (twice(4) != 8) reach_error();
}
int twice(int x) { return 2 * x; }
