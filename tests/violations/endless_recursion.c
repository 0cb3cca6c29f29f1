// property: termination
unsigned count(unsigned n) {
  if (n == 3) return 0;
  return count(n);
}

int main(void) {
  return count(7);
}
