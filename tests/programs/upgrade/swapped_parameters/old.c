// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int sub(int a, int b) { return a - b; }
int main(void) {
  if (sub(7, 3) != 4) reach_error();
}
