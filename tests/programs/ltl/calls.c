// expect: true
// property: LTL(G (call(acquire) ==> F return(release)))
int held;
void acquire(void) { held = 1; }
void release(void) { held = 0; }
int main(void) {
  while (1) { acquire(); release(); }
}
