// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
int limit = 10;
int main(void) {
  int i = 0;
  while (i < limit) i++;
  if (i != 10) reach_error();
}
