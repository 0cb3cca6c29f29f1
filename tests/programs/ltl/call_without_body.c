// expect: true
// property: LTL(G (call(lock) ==> F return(unlock)))
// Functions without a body can be spoken about.
extern void lock(void);
extern void unlock(void);
int main(void) {
  while (1) { lock(); unlock(); }
}
