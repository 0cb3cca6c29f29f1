// expect: true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < -8 || x > -5) return 0;
    if ((x & 3) != ((x % 4 + 4) % 4)) reach_error();
    if ((x | 7) != -1) reach_error();
    if ((x ^ -1) != -x - 1) reach_error();
    return 0;
}
