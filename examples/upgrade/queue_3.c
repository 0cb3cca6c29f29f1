// expect: false
// The third version: the ring is full too late.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int first, length;

static void push(void) {
  if (length > 8) return;
  length++;
}

static void take(void) {
  if (length == 0) return;
  first++;
  if (first == 8) first = 0;
  length--;
}

static void clear(void) {
  while (length > 0) take();
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) push();
    else if (__VERIFIER_nondet_int()) take();
    else clear();
    if (length < 0 || length > 8 || first < 0 || first > 7) reach_error();
  }
  return 0;
}
