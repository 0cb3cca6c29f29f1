// expect: true
// What number an address has does not matter to a function that does not look at it.
extern void reach_error(void);
int x;
void trace(long where, int what) { x = what; }
int main(void) {
  int *p = &x;
  trace((long)p, 3);
  trace((int)(long)p, 4);
  if (x != 4) reach_error();
  return 0;
}
