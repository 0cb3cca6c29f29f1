// expect: true
// property: LTL(G F "turn == 0")
// The recursive function returns, and does not change what is observed.
int turn;
int depth(int n) { if (n <= 0) return 0; return 1 + depth(n - 1); }
int main(void) {
  while (1) {
    turn = 1;
    depth(5);
    turn = 0;
  }
}
