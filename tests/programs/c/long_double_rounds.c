// expect: false(unreach-call)
// data-model: LP64
extern void reach_error(void);
int main(void) {
  long double one = 1.0L;
  if (one + 1e-20L == one) reach_error();
  return 0;
}
