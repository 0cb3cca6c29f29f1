// expect: unknown
// Whether an address is even or odd is not known.
extern void reach_error(void);
char x;
void trace(long where) { if (where % 2) reach_error(); }
int main(void) {
  char *p = &x;
  trace((long)p);
  return 0;
}
