// expect: true
// state: fixed
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int main(void) {
  int x = input();
  if (x > 0 && x < 7) {
    if (x == 7) reach_error();
  }
  if (x > 5 && x < 5) reach_error();
}
