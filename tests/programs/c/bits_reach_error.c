// expect: false(unreach-call)
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if ((x ^ y) == 0x12345678 && (x & y) == 0x81000001) reach_error();
    return 0;
}
