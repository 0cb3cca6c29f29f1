// expect: unknown
// A weak function that nobody defines has the null pointer as its address.
extern void reach_error(void);
extern int optional(void) __attribute__((weak));
int main(void) {
  if (!optional) reach_error();
  return 0;
}
