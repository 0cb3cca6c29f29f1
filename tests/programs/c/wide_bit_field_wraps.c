// expect: true
// gcc computes with a bit-field of 40 bits in 40 bits.
extern void reach_error(void);
struct Wide { unsigned long long low : 40; };
int main(void) {
  struct Wide w = { (1ull << 40) - 1 };
  if (w.low + 1 != 0) reach_error();
  if ((unsigned long long)w.low + 1 != 1ull << 40) reach_error();
  return 0;
}
