// expect: false
// state: new
extern void abort(void);
extern void reach_error(void);
extern int input(void);
struct pair { int second; int first; };
int main(void) {
  struct pair x;
  x.first = 1;
  x.second = 2;
  if (*(int *)&x != 1) reach_error();
}
