// expect: false(unreach-call)
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    if (n < 0x80000000u) return 0;
    if (n > 0x80000001u) return 0;
    sum = n + n;
    if (sum / 2 != n) reach_error();
    return 0;
}
