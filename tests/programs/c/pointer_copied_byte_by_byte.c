// expect: false
// The copy points to what the original points to.
extern void reach_error(void);
int main(void) {
  int x = 1, y = 5, *p = &x, *q = &y;
  for (unsigned i = 0; i < sizeof p; i++)
    ((char *)&q)[i] = ((char *)&p)[i];
  *q += 3;
  if (x == 4 && y == 5 && p == q)
    reach_error();
  return 0;
}
