// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
union U {
    unsigned word;
    struct { unsigned low : 4; int middle : 6; unsigned high : 22; } bits;
    unsigned char bytes[4];
};
int main(void) {
    union U u;
    u.word = 0;
    u.bits.middle = -1;
    if (u.word != 0x3f0) reach_error();
    u.bytes[0] = 0x8c;
    if (u.bits.low != 12 || u.bits.middle != -8) reach_error();
    u.bits.high = __VERIFIER_nondet_int();
    if (u.bits.low != 12 || u.bits.middle != -8) reach_error();
    return 0;
}
