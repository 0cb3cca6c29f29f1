// expect: true
extern void reach_error(void);
static int g = 1;
int main(void) {
  int x = 2;
  __asm__ volatile("movl $5, g" : : : "memory");
  __asm__ volatile("mfence" : : : "memory");
  g = 3;
  __asm__ volatile("rep; nop" : : : "memory");
  if (x != 2 || g != 3) reach_error();
  return 0;
}
