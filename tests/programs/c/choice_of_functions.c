// expect: false
// A conditional expression whose arms are functions is a pointer to one of them.
extern void reach_error(void);
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*pick(int k))(void) { return k ? one : two; }
int main(void) {
  int (*f)(void) = pick(1) == one ? two : one;
  if (pick(0)() * 10 + pick(1)() == 21 && f() == 2) reach_error();
  return 0;
}
