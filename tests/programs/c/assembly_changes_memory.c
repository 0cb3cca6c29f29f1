// expect: unknown
extern void reach_error(void);
static int g = 1;
int main(void) {
  __asm__ volatile("movl $5, g" : : : "memory");
  if (g != 1) reach_error();
  return 0;
}
