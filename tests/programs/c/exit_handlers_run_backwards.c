// expect: false(unreach-call)
// Handlers run last first, on return from main and on exit, but not on abort.
extern void reach_error(void);
extern int atexit(void (*)(void));
extern int __VERIFIER_nondet_int(void);
extern void exit(int), abort(void);
static int order;
void first(void) { if (order == 2) reach_error(); }
void second(void) { order = 2; }
int main(void) {
    atexit(first);
    atexit(second);
    if (__VERIFIER_nondet_int()) exit(1);
    abort();
}
