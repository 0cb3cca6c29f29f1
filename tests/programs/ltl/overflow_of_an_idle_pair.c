// expect: false(ltl)
// property: LTL(G F "on == 1")
// The counter and its copy, which begins with any value, decide nothing.
int on;
int main(void) {
  int before, time = 0;
  on = 1;
  while (1) { before = time; time = before + 1; on = 0; }
}
