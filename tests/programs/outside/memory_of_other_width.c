// expect: false
// One byte of the integer may hold anything.
extern void reach_error(void);
void __CPROVER_havoc_slice(void *, unsigned long);
int main(void) {
  int x = 0;
  char *p = (char *)&x;
  __CPROVER_havoc_slice(p, 1);
  if (x == 200) reach_error();
  return 0;
}
