// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
typedef unsigned int counter;
int main(void) {
  counter c = 0;
  int i = 0;
  while (i < 300) { c++; i++; }
  if (c != 300) reach_error();
}
