// expect: false
// state: old
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int main(void) {
  int unused = 3;
  int x = input();
  if (x > 0 && x < 10) {
    if (x == 7) reach_error();
  }
  if (x > 5 && x < 5) reach_error();
}
