// expect: true
// A constructor runs before main, those with a priority before those without.
extern void reach_error(void);
static int order[3], n;
__attribute__((constructor)) static void last(void) { order[n++] = 3; }
static void first(void) __attribute__((constructor(101)));
static void first(void) { order[n++] = 1; }
__attribute__((constructor(200))) static void second(void) { order[n++] = 2; }
int main(void) {
  if (n != 3 || order[0] != 1 || order[1] != 2 || order[2] != 3) reach_error();
  return 0;
}
