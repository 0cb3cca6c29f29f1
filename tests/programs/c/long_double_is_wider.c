// expect: true
// The 64 digits of the x87 unit, at both data models.
extern void reach_error(void);
int main(void) {
  long double one = 1.0L, tiny = 1e-18L;
  if (one + tiny == one || (double)(one + tiny) != 1.0) reach_error();
  unsigned long long most = ~0ULL;
  long double l = most;
  if ((unsigned long long)l != most || l != 18446744073709551615.0L) reach_error();
  if (0.1L == 0.1 || (double)0.1L != 0.1 || 0.5L != 0.5) reach_error();
  long double third = one / 3;
  if (third * 3 != one || (float)third != 1.0f / 3.0f || -third >= 0 || (int)(10 * third) != 3) reach_error();
  return 0;
}
