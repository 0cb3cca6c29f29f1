// expect: false(ltl)
// property: LTL(G F "on == 1")
// The counter overflows some time, but nothing depends on it.
int on, time;
int main(void) {
  on = 1;
  while (1) { time = time + 1; on = 0; }
}
