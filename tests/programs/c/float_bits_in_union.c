// expect: true
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
union shape { float value; unsigned word; };
int is_nan(float x) {
    union shape u;
    u.value = x;
    return (u.word & 0x7fffffff) > 0x7f800000;
}
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (is_nan(x) != (x != x)) reach_error();
    return 0;
}
