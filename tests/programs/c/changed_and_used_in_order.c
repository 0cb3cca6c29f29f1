// expect: true
extern void reach_error(void);
static int same(int x) { return x; }
int main(void) {
  int i = 1, a[3] = {0}, *p = a;
  i = (i++, i + 10);
  i = same(i++);
  int j = i++ && i++;
  a[0] = a[1] = i;
  *p++ = *(a + 1) + j;
  p = i > 0 ? p + 1 : p;
  i += a[0] = 2;
  if (i != 16 || a[0] != 2 || p != &a[2])
    reach_error();
  return 0;
}
