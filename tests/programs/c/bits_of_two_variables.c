// expect: true
// Bit operations on variables need words.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if ((x & y) + (x | y) != x + y) reach_error();
    if ((x ^ y) != (x | y) - (x & y)) reach_error();
    unsigned k = y & 31;
    if (((x << k) >> k | x) != x) reach_error();
    if (x != 0 && (x & (x - 1)) >= x) reach_error();
    return 0;
}
