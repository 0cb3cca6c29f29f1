// expect: false(unreach-call)
// A destructor runs after main and after the functions that atexit was given.
#include <stdlib.h>
extern void reach_error(void);
static int phase;
__attribute__((destructor)) static void finish(void) {
  if (phase == 2) reach_error();
}
static void handler(void) {
  if (phase == 1) phase = 2;
}
int main(void) {
  atexit(handler);
  phase = 1;
  exit(0);
}
