// expect: false
// state: new
// The text of the function is the same.
extern void abort(void);
extern void reach_error(void);
extern int input(void);
#define N 2
#undef N
#define N 3
int times(int x) { return N * x; }
int main(void) {
  if (times(4) != 8) reach_error();
}
