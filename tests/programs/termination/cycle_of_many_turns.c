// expect: false
// property: termination
// Odd numbers only: the bound is passed every 128 turns but never met; nobody looks at the counter.
int main(void) {
  unsigned char k = 1;
  unsigned long turns = 0;
  while (k != 100) { k += 2; turns++; }
  return 0;
}
