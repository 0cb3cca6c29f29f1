// expect: false
// state: new
// The text of the function is the same.
extern void abort(void);
extern void reach_error(void);
extern int input(void);
typedef unsigned char counter;
int main(void) {
  counter c = 0;
  int i = 0;
  while (i < 300) { c++; i++; }
  if (c != 300) reach_error();
}
