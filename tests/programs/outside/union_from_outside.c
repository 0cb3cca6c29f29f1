// expect: false
// The members of a union share their bytes, also in an object that the program is only given.
extern void reach_error(void);
union u { unsigned i; unsigned char c[4]; };
union u *get(void);
int main(void) {
  union u *x = get();
  if (!x) return 0;
  unsigned char c = x->c[0];
  x->i = ~x->i;
  if (x->c[0] != c) reach_error();
  return 0;
}
