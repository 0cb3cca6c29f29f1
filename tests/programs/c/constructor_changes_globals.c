// expect: false(unreach-call)
// What a constructor writes is there when main starts.
extern void reach_error(void);
static int ready;
__attribute__((constructor)) static void prepare(void) { ready = 1; }
int main(void) {
  if (ready) reach_error();
  return 0;
}
