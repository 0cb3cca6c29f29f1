// expect: unknown
// What an assignment leaves in the padding, C does not say.
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
struct Gap { char c; int i; };
int main(void) {
  struct Gap a, b;
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
  b = a;
  if (((unsigned char *)&b)[1] != 0) reach_error();
  return 0;
}
