// expect: false
// A function as an arm of ?: is its address.
extern void reach_error(void);
static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }
static int (*direction(int c))(int) { return c ? up : down; }
int main(void) {
  if (direction(0)(5) == 4 && direction(1)(5) == 6) reach_error();
  return 0;
}
