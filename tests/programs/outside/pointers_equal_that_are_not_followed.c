// expect: false
// args: --entry f --pointers object,may-alias
// Two pointers may be the same, followed or not.
extern void reach_error(void);
int f(int *p, int *q) {
  *p = 1;
  if (p == q) reach_error();
  return 0;
}
