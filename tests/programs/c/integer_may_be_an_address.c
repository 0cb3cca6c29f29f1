// expect: false
extern void reach_error(void);
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    const char *s = "x"; unsigned long u = __VERIFIER_nondet_ulong(); const char *q = (const char *)u; if (q == s) reach_error();
    return 0;
}
