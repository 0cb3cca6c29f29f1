// expect: true
extern void reach_error(void);
extern int atexit(void (*)(void));
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
static int order;
void first(void) { if (order != 2) reach_error(); }
void second(void) { order = 2; }
void never(void) { reach_error(); }
int main(void) {
    if (__VERIFIER_nondet_int()) {
        atexit(never);
        abort();
    }
    atexit(first);
    atexit(second);
    return 0;
}
