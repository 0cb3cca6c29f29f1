// expect: true
extern void abort(void);
extern void reach_error(void);
extern int input(void);
struct pair { int first; int second; };
int main(void) {
  struct pair x;
  x.first = 1;
  x.second = 2;
  if (*(int *)&x != 1) reach_error();
}
