// expect: false
// property: termination
// The index drifts within a turn, but every turn accesses the same.
int a[10];
int main(void) {
  unsigned turns = 0;
  while (a[3] == 0) {
    for (int i = 0; i < 10; i++) a[i] = 0;
    turns++;
  }
  return 0;
}
