// expect: true
// A function without body may write through its pointers, and only there.
extern void reach_error(void);
extern void fill(int *numbers, unsigned n);
struct Pair { int first; unsigned char second; };
extern int measure(struct Pair *pair);
int main(void) {
  int a[3] = { 1, 2, 3 }, untouched = 7, *other = &untouched;
  struct Pair pair = { 1, 2 };
  fill(a, 3);
  measure(&pair);
  if (*other != 7) reach_error();
  if (pair.second > 255) reach_error();
  a[1] = 5;
  if (a[1] != 5) reach_error();
  return 0;
}
