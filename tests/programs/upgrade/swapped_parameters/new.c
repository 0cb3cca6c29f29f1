// expect: false
// state: new
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int sub(int b, int a) { return a - b; }
int main(void) {
  if (sub(7, 3) != 4) reach_error();
}
