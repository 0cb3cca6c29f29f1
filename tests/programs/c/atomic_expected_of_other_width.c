// expect: false
// The exchange fails and stores the value in one byte of the integer.
extern void reach_error(void);
int main(void) {
  int e = 0x105;
  char z = 0;
  __atomic_compare_exchange_n(&z, (char *)&e, 1, 0, 5, 5);
  if (e == 0x100) reach_error();
  return 0;
}
