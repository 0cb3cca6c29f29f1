// expect: true
// A ring of eight places; the counters never say more than that.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int first, length;

static void put(void) {
  if (length == 8) return;
  length++;
}

static void take(void) {
  if (length == 0) return;
  first++;
  if (first == 8) first = 0;
  length--;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) put();
    else take();
    if (length < 0 || length > 8 || first < 0 || first > 7) reach_error();
  }
  return 0;
}
