// expect: true
// data-model: LP64
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
    unsigned __int128 x = __VERIFIER_nondet_ulong();
    unsigned __int128 y = x - 1;
    if (x == 0 && (unsigned long)(y >> 64) != -1ul) reach_error();
    if (y + 1 != x) reach_error();
    if (~(unsigned __int128)0 < y) reach_error();
    return 0;
}
