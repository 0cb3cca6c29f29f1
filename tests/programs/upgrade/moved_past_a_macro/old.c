// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
#define N 2
int times(int x) { return N * x; }
#undef N
#define N 3
int main(void) {
  if (times(4) != 8) reach_error();
}
