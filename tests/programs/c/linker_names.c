// expect: unknown
// A name of the linker makes two names of the program one function: nothing is said.
extern void reach_error(void);
static int g;
void outer(void) __asm__("inner");
void inner(void) { g = 1; }
int main(void) {
  outer();
  if (g) reach_error();
  return 0;
}
